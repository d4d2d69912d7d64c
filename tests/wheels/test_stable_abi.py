"""wheels/stable_abi/Python.h says what CPython's own headers say, of the stable ABI and of free threading.

Debian's headers are for both kinds of Python: a macro of pyconfig.h makes the difference.
"""

import re
import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import planted
import pytest

TREE = Path(__file__).resolve().parents[2]
OURS = TREE / "wheels/stable_abi/Python.h"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror")
STRUCTURES = {
    "PyObject": ("ob_refcnt", "ob_type"),
    "Py_buffer": (
        *("buf", "obj", "len", "itemsize", "readonly", "ndim"),
        *("format", "shape", "strides", "suboffsets", "internal"),
    ),
    "PyMethodDef": ("ml_name", "ml_meth", "ml_flags", "ml_doc"),
    "PyGetSetDef": ("name", "get", "set", "doc", "closure"),
    "PyType_Slot": ("slot", "pfunc"),
    "PyType_Spec": ("name", "basicsize", "itemsize", "flags", "slots"),
    "PyModuleDef_Slot": ("slot", "value"),
    "PyModuleDef": (
        *("m_base", "m_name", "m_doc", "m_size", "m_methods"),
        *("m_slots", "m_traverse", "m_clear", "m_free"),
    ),
}

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C compiler: apt-get install gcc")


@dataclass(frozen=True)
class Headers:
    """CPython's headers, and the macro that makes them, and ours, declare one ABI."""

    folders: tuple[Path, ...]
    macro: str


@pytest.fixture(
    params=[
        "here",
        pytest.param("3.14", marks=pytest.mark.long),
        pytest.param("3.15", marks=pytest.mark.long),
    ]
)
def theirs(request: pytest.FixtureRequest) -> Headers:
    """This Python's stable ABI, or what the free-threaded Python of a version has."""
    return here() if request.param == "here" else free_threaded(request.param)


def here() -> Headers:
    folder = Path(sysconfig.get_path("include"))
    if not (folder / "Python.h").is_file():
        pytest.skip("needs CPython's headers: apt-get install python3-dev")
    return Headers((folder,), "Py_LIMITED_API=0x030b0000")


def free_threaded(version: str) -> Headers:
    rig = [str(planted.ROOT / "tests/rigs/python-headers.sh"), version, "forky"]
    done = subprocess.run(rig, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    include = Path(done.stdout.strip()) / "usr" / "include"
    (own,) = include.glob(f"*/python{version}")
    return Headers((include / f"python{version}", own, include), "Py_GIL_DISABLED=1")


def build(source: str, folder: Path, includes: tuple[Path, ...], *options: str) -> Path:
    assert COMPILER is not None
    path, out = folder / "source.c", folder / "out"
    path.write_text(source)
    command = [COMPILER, *STRICT, *(f"-isystem{include}" for include in includes), *options, str(path)]
    result = subprocess.run([*command, "-o", str(out)], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return out


def test_constants(tmp_path: Path, theirs: Headers) -> None:
    assert COMPILER is not None
    command = [COMPILER, "-E", "-dM", f"-D{theirs.macro}", str(OURS)]
    macros = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    defined = re.findall(
        r"^#define (Py[A-Z]\w+|Py_\w+|METH_\w+) +(\d\w*|0x\w+|\(1U << \d+\))$", macros, re.MULTILINE
    )
    left_out = {theirs.macro.partition("=")[0]}
    if "3.15" in theirs.folders[0].name:
        left_out |= {"Py_mod_exec", "Py_mod_gil"}  # there they have new numbers; the old ones still count
    constants = {name: value for name, value in defined if name not in left_out}
    assert len(constants) > 20
    checks = "".join(f'_Static_assert({name} == {value}, "{name}");\n' for name, value in constants.items())
    build(f"#include <Python.h>\n{checks}", tmp_path, theirs.folders, "-c", f"-D{theirs.macro}")


def test_functions_and_variables(tmp_path: Path, theirs: Headers) -> None:
    text = re.sub(r"/\*.*?\*/", "", OURS.read_text(), flags=re.DOTALL)
    declared = re.findall(r"^(?:extern |[A-Za-z_][\w* ]*?\b_?Py\w+\()[^;{}#]*;", text, re.MULTILINE)
    assert len(declared) > 50
    # A second declaration that differs from the first is an error. One function is a macro, too, and one
    # says since 3.13 that it does not change the names it is given.
    left_out = ("Py_IncRef", "PyArg_ParseTupleAndKeywords")
    repeated = "\n".join(each for each in declared if not any(name in each for name in left_out))
    source = f"#include <Python.h>\n#undef Py_FatalError\n{repeated}\n"
    build(source, tmp_path, theirs.folders, "-c", "-Wno-redundant-decls", f"-D{theirs.macro}")


def test_layouts(tmp_path: Path, theirs: Headers) -> None:
    lines = "".join(
        f'printf("{name} %zu\\n", sizeof({name}));\n'
        + "".join(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));\n' for field in fields)
        for name, fields in structures(theirs).items()
    )
    headers = "".join(f"#include <{name}>\n" for name in ("Python.h", "stddef.h", "stdio.h", "string.h"))
    source = f"{headers}int main(void) {{\n{lines}return 0;\n}}\n"
    printed = [
        subprocess.run(
            [build(source, tmp_path, includes, f"-D{theirs.macro}")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for includes in ((OURS.parent,), theirs.folders)
    ]
    assert printed[0] == printed[1] != ""


def structures(headers: Headers) -> dict[str, tuple[str, ...]]:
    if headers.macro.startswith("Py_LIMITED_API"):
        return STRUCTURES
    object_fields = (
        "ob_tid",
        "ob_flags",
        "ob_mutex",
        "ob_gc_bits",
        "ob_ref_local",
        "ob_ref_shared",
        "ob_type",
    )
    return {**STRUCTURES, "PyObject": object_fields}


# The bytes of a module's definition before anything is made of it.
DEFINITION = """\
#include <Python.h>
#include <stdio.h>
int main(void) {
    static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT};
    const unsigned char *bytes = (const unsigned char *)&definition;
    for (size_t i = 0; i < sizeof definition; i++)
        printf("%02x", bytes[i]);
    return 0;
}
"""


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.14", "3.15"])
def test_what_a_free_threaded_python_finds_in_a_module_definition(tmp_path: Path, version: str) -> None:
    theirs = free_threaded(version)
    printed = [
        subprocess.run(
            [build(DEFINITION, tmp_path, includes, f"-D{theirs.macro}")],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for includes in ((OURS.parent,), theirs.folders)
    ]
    assert printed[0] == printed[1]
    assert "ffffffff" in printed[0]  # it lives for ever


def test_the_fast_calls_compile_with_cpythons_header(tmp_path: Path, theirs: Headers) -> None:
    compile_fast_calls(tmp_path, theirs)


def test_the_fast_calls_compile_without_the_limited_api(tmp_path: Path) -> None:
    compile_fast_calls(tmp_path, Headers(here().folders, "NDEBUG"))


def compile_fast_calls(folder: Path, headers: Headers) -> None:
    # What the build generates, as far as the sources look at it.
    names = ("AES_GCM", "GHASH", "MD5", "MD5_MANY")
    families = "".join(f"KP_FAMILY_{name}, " for name in names)
    (folder / "tables.h").write_text(
        "enum kp_feature_id { KP_FEATURE_COUNT };\n"
        "#define KP_WORD_COUNT 0\n"
        f"enum kp_family_id {{ {families}KP_FAMILY_COUNT }};\n"
    )
    shutil.copy(TREE / "dispatch" / "report.h", folder / "kernport_dispatch.h")
    includes = (folder, TREE, TREE / "native" / "include", TREE / "native")
    for source in sorted((TREE / "native/extension").glob("*.c")):
        assert COMPILER is not None
        command = [
            *(COMPILER, *STRICT, f"-D{headers.macro}", "-D_POSIX_C_SOURCE=200809L", "-fsyntax-only"),
            *(f"-isystem{include}" for include in headers.folders),
            *(f"-I{include}" for include in includes),
            str(source),
        ]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
