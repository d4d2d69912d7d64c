"""A free-threaded Python does not load the stable ABI: it gets wheels of its own, and builds such natively.

Those for 3.14 and 3.15 differ in nothing but their name from one for 3.13, of which tests/rigs/built_python
makes an interpreter; test_stable_abi.py holds what they rely on against the newer ones' headers. A native
build needs no such interpreter: there this Python says in its configuration that it is one.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import planted
import pytest
from emulated import (
    build_wheels,
    chosen,
    chosen_here,
    copy_of_tree,
    expected_checks,
    installed_files,
    replace,
    run,
    write_cases,
)
from foreign_system import HOST, RIGS

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheels")]
OPTION = "-Dpython.allow_limited_api=false"
PYTHON = f"cp{sys.version_info.major}{sys.version_info.minor}"
SUFFIX = f".cpython-{PYTHON.removeprefix('cp')}t-{os.uname().machine}-linux-gnu.so"
CONFIGURATION = f"""\
import sysconfig
sysconfig.get_config_vars().update(Py_GIL_DISABLED=1, EXT_SUFFIX={SUFFIX!r})
"""


def build(folder: Path, *settings: str) -> subprocess.CompletedProcess[str]:
    """Build this tree's wheel into `folder` as pip would, by a Python that says it is free-threaded."""
    (folder / "sitecustomize.py").write_text(CONFIGURATION, encoding="utf-8")
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", f"-Cbuild-dir={folder / 'build'}"]
    return subprocess.run(
        [*command, *settings, "--outdir", str(folder), str(planted.ROOT)],
        env=os.environ | {"PYTHONPATH": str(folder), "PATH": programs},
        capture_output=True,
        text=True,
        check=False,
    )


def test_its_extension_is_named_for_it_alone(tmp_path: Path) -> None:
    done = build(tmp_path, f"-Csetup-args={OPTION}")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stem.split("-")[2:4] == [PYTHON, f"{PYTHON}t"]
    libraries = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".so")]
    assert libraries == [f"{planted.TREE.name}/_cffi{SUFFIX}"]


@pytest.mark.skipif(sys.version_info >= (3, 15), reason="from 3.15 on there is a stable ABI for it")
def test_the_stable_abi_is_refused_there(tmp_path: Path) -> None:
    done = build(tmp_path)
    assert done.returncode != 0
    assert "free-threaded" in done.stdout + done.stderr
    assert not list(tmp_path.glob("*.whl"))


class Interpreter:
    """The rig's Python, with what was installed into `site`."""

    def __init__(self, root: Path, folder: Path) -> None:
        (self.path,) = (root / "usr" / "bin").glob("python3.*")
        self.abi = f"cp{self.path.name.removeprefix('python').replace('.', '')}"
        self.site = folder / "site"

    def run(self, *arguments: str, code: int = 0) -> str:
        """What it prints. That the GIL was put back, which Python only warns of, is an error."""
        environment = {"PYTHONPATH": str(self.site), "PATH": "/usr/bin:/bin"}
        command = [str(self.path), "-P", "-B", "-W", "error::RuntimeWarning", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + (done.stderr if code else "")


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    """A free-threaded Python whose pip took the wheel from an index with all that there are for this host."""
    root = Path(run([sys.executable, str(RIGS / "built_python" / "free_threaded.py")]).strip())
    folder = tmp_path_factory.mktemp("free")
    interpreter = Interpreter(root, folder)
    tree, dist = copy_of_tree(folder / "tree"), folder / "dist"
    abis = ", ".join(planted.TREE.free_threaded)
    replace(
        tree / "recipes" / "package.yaml", f"free_threaded: [{abis}]", f"free_threaded: [{interpreter.abi}]"
    )
    _, wheel = build_wheels(HOST.name, dist, tree)
    build_wheels(HOST.name, dist)
    for path in (root / "wheels").iterdir():
        shutil.copy(path, dist)
    index = run([sys.executable, "-m", "kernport", "index", str(dist)], cwd=planted.ROOT).strip()
    report = folder / "report.json"
    command = ["-m", "pip", "--disable-pip-version-check", "--isolated", "install", "--no-cache-dir"]
    command += ["--index-url", index, "--target", str(interpreter.site), "--report", str(report)]
    interpreter.run(*command, planted.TREE.name)
    assert installed_files(report)[planted.TREE.name] == wheel.name
    for path in dist.glob(f"*{planted.TREE.free_threaded[0]}*.whl"):
        refused = interpreter.run("-m", "pip", "--isolated", "install", "--no-deps", str(path), code=1)
        assert "is not a supported wheel on this platform" in refused
    return interpreter


def test_the_wheel_is_used_without_the_gil(python: Interpreter, tmp_path: Path) -> None:
    name = planted.TREE.name
    program = f"import sys, {name}; {name}.md5(b''); print(sys._is_gil_enabled(), {name}.lib is not None)"
    assert python.run("-c", program).split() == ["False", "True"]
    assert chosen(python.run("-m", name, "show", "--json")) == chosen_here()
    path = write_cases(tmp_path / "cases.json")
    used = json.loads(python.run(str(RIGS / "use_wheel.py"), str(path)))
    assert used["checked"] == expected_checks(path, used["kernels"])


# Threads begin at once, so that the first of all calls are made together: the dispatcher chooses in them.
THREADS = """
import json, sys, threading
from pathlib import Path
import kernport
batch, block, rounds = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
names = ("ivs", "aads", "texts", "sealed")
ivs, aads, texts, sealed = ([bytes.fromhex(each) for each in batch[name]] for name in names)
block, count = bytes.fromhex(block), 8
barrier, wrong, shared = threading.Barrier(count), [], []
def work():
    barrier.wait()
    key = kernport.AESGCM(bytes.fromhex(batch["key"]))
    shared.append((key, kernport.md5()))
    barrier.wait()
    key, digest = shared[0]
    for _ in range(rounds):
        digest.update(block)
    barrier.wait()
    for _ in range(20):
        digest.copy().digest()
        for iv, aad, text, answer in zip(ivs, aads, texts, sealed):
            if key.encrypt(iv, text, aad) != answer or key.decrypt(iv, answer, aad) != text:
                wrong.append(iv)
        if key.encrypt_many(ivs, texts, aads) != sealed:
            wrong.append("batch")
threads = [threading.Thread(target=work) for _ in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([sys._is_gil_enabled(), wrong, count, shared[0][1].hexdigest()]))
"""


# Of short pieces there are so many that threads meet: without its mutex the digest comes out wrong.
@pytest.mark.parametrize(("length", "rounds"), [(64, 100_000), (100_000, 50)])
def test_threads_share_a_key_and_a_digest(
    python: Interpreter, tmp_path: Path, length: int, rounds: int
) -> None:
    cases = json.loads(write_cases(tmp_path / "cases.json").read_text(encoding="utf-8"))
    block = bytes(range(256)) * (length // 256) + bytes(length % 256)
    path = tmp_path / "work.json"
    path.write_text(json.dumps([cases["batches"][0], block.hex(), rounds]), encoding="utf-8")
    for _ in range(5):
        with_gil, wrong, count, digest = json.loads(python.run("-c", THREADS, str(path)))
        assert not with_gil
        assert wrong == []
        assert digest == hashlib.md5(block * rounds * count).hexdigest()
