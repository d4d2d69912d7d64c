"""What is planted in a wheel, a library or a package is found, by its own rule and no other."""

import struct
from pathlib import Path

import planted
import pytest
from planted import INFO, MODULE, audit, compile_zig, record_of, wheel_files, write_deb, write_wheel

LIBRARY = MODULE.replace("PyInit__x", "kp_status_text")
GLIBC = "x86_64-linux-gnu.2.17"
TAG = "manylinux_2_17_x86_64"
NOTE = str(planted.ROOT / "wheels" / "freebsd_note.S")


@pytest.fixture(autouse=True)
def _disassembler() -> None:
    planted.need_disassembler()


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return compile_zig(tmp_path_factory.mktemp("good"), GLIBC, MODULE)


def found(path: Path) -> list[tuple[str, str]]:
    return [(each.rule, f"{each.place}: {each.message}") for each in audit(path).findings]


def the_only(path: Path, rule: str) -> str:
    """The sentence of the one finding, which must be of that rule."""
    findings = found(path)
    assert [each[0] for each in findings] == [rule], findings
    return findings[0][1]


def test_a_right_wheel_is_clean(tmp_path: Path, good: bytes) -> None:
    report = audit(write_wheel(tmp_path, TAG, wheel_files(TAG, good)))
    assert report.findings == []
    # A library as old as this gets the oldest policy that auditwheel has: older than promised is right.
    assert str(report.facts[""]["auditwheel"]).startswith("manylinux_2_")
    facts = report.facts["_x.abi3.so"]
    assert facts["libc"] == "glibc"
    assert facts["exports"] == ("PyInit__x",)
    assert facts["relro"] == "full"


@pytest.mark.parametrize(
    ("compiled_for", "tag", "sentence"),
    [
        (
            "powerpc64-linux-musl",
            "manylinux_2_17_ppc64",
            "it is ELFv2, and 'manylinux_2_17_ppc64' means ELFv1; the right tag is linux_ppc64",
        ),
        (
            "x86_64-linux-musl",
            "manylinux_2_17_x86_64",
            "it is linked with musl, and 'manylinux_2_17_x86_64' means glibc; "
            "the right tag is musllinux_1_2_x86_64",
        ),
        (
            "x86_64-freebsd",
            "manylinux_2_17_x86_64",
            "it is linked with FreeBSD's libc, and 'manylinux_2_17_x86_64' means glibc; "
            "the right tag is freebsd_14_0_release_amd64",
        ),
        (
            "x86_64-linux-gnu.2.17",
            "musllinux_1_2_x86_64",
            "it is linked with glibc, and 'musllinux_1_2_x86_64' means musl; "
            "the right tag is manylinux_2_17_x86_64",
        ),
        (
            "aarch64-linux-gnu.2.17",
            "manylinux_2_17_x86_64",
            "it is for EM_AARCH64, 64 bits, little-endian, and 'manylinux_2_17_x86_64' means EM_X86_64, "
            "64 bits, little-endian; the right tag is manylinux_2_17_aarch64",
        ),
        (
            "powerpc64le-linux-musl",
            "linux_ppc64",
            "it is for EM_PPC64, 64 bits, little-endian, and 'linux_ppc64' means EM_PPC64, 64 bits, "
            "big-endian; the right tag is musllinux_1_2_ppc64le",
        ),
        (
            "x86_64-linux-gnu.2.17",
            "linux_x86_64",
            "'linux_x86_64' says nothing of the C library, and no index takes it; "
            "the right tag is manylinux_2_17_x86_64",
        ),
    ],
    ids=lambda value: value.split(" ")[0],
)
def test_a_wrong_tag(tmp_path: Path, compiled_for: str, tag: str, sentence: str) -> None:
    note = [NOTE] if "freebsd" in compiled_for else []
    library = compile_zig(tmp_path, compiled_for, MODULE, *cpu_of(compiled_for), *note)
    assert the_only(write_wheel(tmp_path, tag, wheel_files(tag, library)), "tag") == f"_x.abi3.so: {sentence}"


def cpu_of(zig: str) -> list[str]:
    """The compiler's flags for a target, as the recipe has them."""
    return next(list(each.flags) for each in planted.TARGETS.values() if each.zig == zig)


def test_a_freebsd_library_that_says_nothing_of_freebsd(tmp_path: Path) -> None:
    tag = "freebsd_14_0_release_amd64"
    library = compile_zig(tmp_path, "x86_64-freebsd", MODULE)
    assert "neither its header nor a note says FreeBSD" in the_only(
        write_wheel(tmp_path, tag, wheel_files(tag, library)), "system"
    )
    library = compile_zig(tmp_path, "x86_64-freebsd", MODULE, NOTE)
    assert found(write_wheel(tmp_path, tag, wheel_files(tag, library))) == []


def test_a_symbol_that_is_too_new(tmp_path: Path) -> None:
    source = "#include <sys/random.h>\n" + MODULE.replace(
        "return", "char c; return getrandom(&c, 1, 0) ? 0 :"
    )
    library = compile_zig(tmp_path, "x86_64-linux-gnu.2.28", source)
    assert the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), "tag") == (
        "_x.abi3.so: it needs getrandom of GLIBC_2.25, newer than the glibc 2.17 that "
        "'manylinux_2_17_x86_64' promises; the right tag is manylinux_2_26_x86_64"
    )
    newer = "manylinux_2_26_x86_64"
    assert found(write_wheel(tmp_path, newer, wheel_files(newer, library))) == []


def test_an_executable_stack(tmp_path: Path, good: bytes) -> None:
    library = with_segment_flags(good, 0x6474E551, 7)
    sentence = the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), "exec-stack")
    assert "it asks for an executable stack" in sentence


def test_a_writable_segment_of_code(tmp_path: Path, good: bytes) -> None:
    library = with_segment_flags(good, 1, 7)
    sentence = the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), "writable-code")
    assert "writable and executable" in sentence


def with_segment_flags(library: bytes, kind: int, flags: int) -> bytes:
    """A 64-bit little-endian library with other p_flags in every program header of that p_type."""
    changed = bytearray(library)
    (start,) = struct.unpack_from("<Q", library, 32)
    size, count = struct.unpack_from("<HH", library, 54)
    for place in range(start, start + size * count, size):
        if struct.unpack_from("<I", library, place)[0] == kind:
            struct.pack_into("<I", changed, place + 4, flags)
    assert changed != library
    return bytes(changed)


@pytest.mark.parametrize(
    ("flags", "rule", "words"),
    [
        (("-Wl,-z,norelro",), "relro", "no RELRO segment"),
        (("-Wl,-z,lazy",), "bind-now", "stay writable"),
        (("-Wl,-rpath,/opt/lib",), "run-path", "/opt/lib"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_library_that_is_not_hardened(
    tmp_path: Path, flags: tuple[str, ...], rule: str, words: str
) -> None:
    library = compile_zig(tmp_path, GLIBC, MODULE, *flags)
    assert words in the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), rule)


def test_a_stripped_module(tmp_path: Path) -> None:
    library = compile_zig(tmp_path, GLIBC, MODULE, "-Wl,--strip-all")
    sentence = the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), "instructions")
    assert "it is stripped, so its kernels cannot be checked" in sentence


def test_a_stray_export(tmp_path: Path) -> None:
    library = compile_zig(tmp_path, GLIBC, MODULE + "int helper(void) { return 1; }\n")
    sentence = the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), "exports")
    assert "it exports helper; only PyInit_* is public" in sentence


def test_a_library_exports_its_header_alone(tmp_path: Path) -> None:
    path = tmp_path / "libkernport.so.0"
    path.write_bytes(compile_zig(tmp_path, GLIBC, LIBRARY))
    assert found(path) == []
    path.write_bytes(compile_zig(tmp_path, GLIBC, LIBRARY + "int kp_wipe(void) { return 1; }\n"))
    assert "it exports kp_wipe; only native/include/kernport.h is public" in the_only(path, "exports")


@pytest.mark.parametrize(
    ("symbol", "sentence"),
    [
        ("_PyLong_AsByteArray", "_PyLong_AsByteArray is not in Python's stable ABI"),
        ("PyObject_Vectorcall", "PyObject_Vectorcall came with Python 3.12, and the tag says cp311"),
    ],
)
def test_a_symbol_outside_the_stable_abi(tmp_path: Path, symbol: str, sentence: str) -> None:
    source = f"void *{symbol}(void);\n" + MODULE.replace("return", f"return {symbol}() ? 0 :")
    library = compile_zig(tmp_path, GLIBC, source)
    assert sentence in the_only(write_wheel(tmp_path, TAG, wheel_files(TAG, library)), "stable-abi")


def test_a_symbol_that_free_threaded_pythons_share_by_chance(tmp_path: Path) -> None:
    kind, name = "cp314.cp315-cp314t.cp315t", "_x.so"
    symbol = "PyUnstable_Module_SetGIL"
    source = f"int {symbol}(void *, void *);\nint PyInit__x(void) {{ return {symbol}(0, 0); }}\n"
    library = compile_zig(tmp_path, "x86_64-linux-gnu.2.17", source)
    path = write_wheel(tmp_path, TAG, wheel_files(TAG, library, name, kind), kind=kind)
    assert f"{symbol} is not in Python's stable ABI" in the_only(path, "stable-abi")


@pytest.mark.parametrize(
    ("kind", "name", "sentence"),
    [
        ("cp314-cp314t", "_x.abi3.so", "free-threaded Pythons do not load the stable ABI"),
        (
            "cp311-abi3",
            "_x.cpython-314t-x86_64-linux-gnu.so",
            "only a Python of ABI cp314t looks for this name",
        ),
        (
            "cp314-cp314t",
            "_x.cpython-314-x86_64-linux-gnu.so",
            "only a Python of ABI cp314 looks for this name",
        ),
        ("cp314.cp315-cp314t.cp315t", "_x.cpython-314t.so", "and the tag says cp315t"),
    ],
)
def test_an_extension_that_its_python_does_not_look_for(
    tmp_path: Path, good: bytes, kind: str, name: str, sentence: str
) -> None:
    path = write_wheel(tmp_path, TAG, wheel_files(TAG, good, name, kind), kind=kind)
    assert sentence in the_only(path, "abi")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("cp314-cp314t", "_x.so"),
        ("cp314-cp314t", "_x.cpython-314t-x86_64-linux-gnu.so"),
        ("cp311-cp311", "_x.abi3.so"),
    ],
)
def test_an_extension_that_its_python_looks_for(tmp_path: Path, good: bytes, kind: str, name: str) -> None:
    assert found(write_wheel(tmp_path, TAG, wheel_files(TAG, good, name, kind), kind=kind)) == []


def test_a_file_that_anyone_may_write(tmp_path: Path, good: bytes) -> None:
    path = write_wheel(tmp_path, TAG, wheel_files(TAG, good), modes={"_x.abi3.so": 0o777})
    assert the_only(path, "mode") == "_x.abi3.so: others may write to it (mode 0777); make it 0755"


def test_a_record_of_another_file(tmp_path: Path, good: bytes) -> None:
    files = wheel_files(TAG, good)
    name = f"{INFO}/licenses/LICENSE"
    path = write_wheel(tmp_path, TAG, {**files, name: b"MIT License\r\n"}, record_of(files))
    sentence = the_only(path, "record")
    assert sentence.startswith(f"{name}: its hash is sha256=")


def test_a_record_that_lacks_a_file_and_lists_another(tmp_path: Path, good: bytes) -> None:
    files = wheel_files(TAG, good)
    record = record_of({**files, "ghost.py": b""}).replace(b"_x.abi3.so,", b"_y.abi3.so,")
    findings = found(write_wheel(tmp_path, TAG, files, record))
    assert findings == [
        ("record", "_y.abi3.so: RECORD lists it, and the wheel does not have it"),
        ("record", "ghost.py: RECORD lists it, and the wheel does not have it"),
        ("record", "_x.abi3.so: RECORD does not list it"),
    ]


@pytest.mark.parametrize(
    ("name", "old", "new", "rule", "words"),
    [
        ("METADATA", b"2.4", b"2.1", "metadata", "it is version 2.1"),
        (
            "METADATA",
            b"License-File: LICENSE",
            b"License-File: COPYING",
            "metadata",
            "names the licence COPYING",
        ),
        ("METADATA", b"Name: planted", b"Name: other", "metadata", "it says other 1.0"),
        ("WHEEL", b"2_17", b"2_28", "tag", "it says cp311-abi3-manylinux_2_28_x86_64, the file's name"),
        ("WHEEL", b"Purelib: false", b"Purelib: true", "tag", "Root-Is-Purelib: true"),
        ("sboms/planted.cdx.json", b"bomFormat", b"format", "sbom", "no CycloneDX document"),
    ],
)
def test_wrong_metadata(
    tmp_path: Path, good: bytes, name: str, old: bytes, new: bytes, rule: str, words: str
) -> None:
    files = wheel_files(TAG, good)
    place = f"{INFO}/{name}"
    assert old in files[place]
    files[place] = files[place].replace(old, new)
    assert words in the_only(write_wheel(tmp_path, TAG, files), rule)


def test_no_bill_of_materials(tmp_path: Path, good: bytes) -> None:
    files = wheel_files(TAG, good)
    del files[f"{INFO}/sboms/planted.cdx.json"]
    assert "PEP 770" in the_only(write_wheel(tmp_path, TAG, files), "sbom")


def test_a_deb_for_another_architecture(tmp_path: Path) -> None:
    library = compile_zig(tmp_path, "riscv64-linux-gnu.2.27", LIBRARY)
    files = {"./usr/lib/libkernport.so.0": library}
    assert found(write_deb(tmp_path, "riscv64", "libc6 (>= 2.27)", files)) == []
    path = write_deb(tmp_path, "ppc64el", "libc6 (>= 2.27)", files)
    assert the_only(path, "architecture").endswith("the package says ppc64el; the right one is riscv64")


def test_any_archive_of_files(tmp_path: Path) -> None:
    path = tmp_path / "package.tar.gz"
    library = compile_zig(tmp_path, "riscv64-linux-musl", LIBRARY)
    path.write_bytes(planted.tar_gz({"usr/lib/libkernport.so.0": library, "usr/share/text": b"text"}))
    assert found(path) == []
    assert audit(path).facts["usr/lib/libkernport.so.0"]["libc"] == "musl"
    library = with_segment_flags(library, 0x6474E551, 7)
    path.write_bytes(planted.tar_gz({"usr/lib/libkernport.so.0": library}))
    assert "executable stack" in the_only(path, "exec-stack")


def test_a_deb_that_depends_on_too_old_a_libc(tmp_path: Path) -> None:
    library = compile_zig(tmp_path, "riscv64-linux-gnu.2.27", LIBRARY)
    path = write_deb(tmp_path, "riscv64", "libc6 (>= 2.17)", {"./usr/lib/libkernport.so.0": library})
    assert the_only(path, "depends").endswith(
        "it needs getenv of GLIBC_2.27, and the package depends on libc6 (>= 2.17); "
        "it has to be libc6 (>= 2.27)"
    )
