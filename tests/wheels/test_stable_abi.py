"""wheels/stable_abi/Python.h says of the stable ABI what CPython's own header says."""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
OURS = TREE / "wheels/stable_abi/Python.h"
THEIRS = Path(sysconfig.get_path("include"))
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-DPy_LIMITED_API=0x030b0000")
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

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="needs a C compiler: apt-get install gcc"),
    pytest.mark.skipif(
        not (THEIRS / "Python.h").is_file(), reason="needs CPython's headers: apt-get install python3-dev"
    ),
]


def build(source: str, folder: Path, include: Path, *options: str) -> Path:
    assert COMPILER is not None
    path, out = folder / "source.c", folder / "out"
    path.write_text(source)
    command = [COMPILER, *STRICT, f"-I{include}", *options, str(path), "-o", str(out)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return out


def test_constants(tmp_path: Path) -> None:
    found = re.findall(
        r"^#define (Py[A-Z]\w+|Py_\w+|METH_\w+) +(\d\w*|0x\w+|\(1U << \d+\))(?: *(?:/\*.*)?)$",
        OURS.read_text(),
        re.MULTILINE,
    )
    constants = {name: value for name, value in found if not name.startswith(("PY_", "Py_LIMITED"))}
    assert len(constants) > 20
    checks = "".join(f'_Static_assert({name} == {value}, "{name}");\n' for name, value in constants.items())
    build(f"#include <Python.h>\n{checks}", tmp_path, THEIRS, "-c")


def test_functions_and_variables(tmp_path: Path) -> None:
    text = re.sub(r"/\*.*?\*/", "", OURS.read_text(), flags=re.DOTALL)
    declared = re.findall(r"^(?:extern |[A-Za-z_][\w* ]*?\b_?Py\w+\()[^;{}#]*;", text, re.MULTILINE)
    assert len(declared) > 50
    # A second declaration that differs from the first is an error.
    repeated = "\n".join(each for each in declared if "Py_IncRef" not in each)
    build(f"#include <Python.h>\n{repeated}\n", tmp_path, THEIRS, "-c", "-Wno-redundant-decls")


def test_layouts(tmp_path: Path) -> None:
    lines = "".join(
        f'printf("{name} %zu\\n", sizeof({name}));\n'
        + "".join(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));\n' for field in fields)
        for name, fields in STRUCTURES.items()
    )
    headers = "".join(f"#include <{name}>\n" for name in ("Python.h", "stddef.h", "stdio.h"))
    source = f"{headers}int main(void) {{\n{lines}return 0;\n}}\n"
    printed = [
        subprocess.run([build(source, tmp_path, include)], capture_output=True, text=True, check=True).stdout
        for include in (OURS.parent, THEIRS)
    ]
    assert printed[0] == printed[1] != ""


@pytest.mark.parametrize("limited", [True, False])
def test_the_fast_calls_compile_with_cpythons_header(tmp_path: Path, limited: bool) -> None:
    # What the build generates, as far as the sources look at it.
    names = ("AES_GCM", "GHASH", "MD5", "MD5_MANY")
    families = "".join(f"KP_FAMILY_{name}, " for name in names)
    (tmp_path / "tables.h").write_text(
        "enum kp_feature_id { KP_FEATURE_COUNT };\n"
        "#define KP_WORD_COUNT 0\n"
        f"enum kp_family_id {{ {families}KP_FAMILY_COUNT }};\n"
    )
    shutil.copy(TREE / "dispatch" / "report.h", tmp_path / "kernport_dispatch.h")
    folders = (THEIRS, tmp_path, TREE, TREE / "native" / "include", TREE / "native")
    for source in sorted((TREE / "native/extension").glob("*.c")):
        assert COMPILER is not None
        command = [
            *(COMPILER, *(STRICT if limited else STRICT[:-1]), "-D_POSIX_C_SOURCE=200809L", "-fsyntax-only"),
            *(f"-I{folder}" for folder in folders),
            str(source),
        ]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
