"""A wheel: its name, its tags, its RECORD, its metadata, its extension modules."""

import base64
import csv
import email.parser
import hashlib
import io
import json
import re
import stat
import zipfile
from collections.abc import Sequence
from pathlib import PurePosixPath

from kernport.build.audit import auditwheel
from kernport.build.audit.elf import ElfFacts, is_elf
from kernport.build.audit.finding import Audit
from kernport.build.audit.platform import parse, wrong_tag
from kernport.build.audit.shared_object import audit_elf
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.errors import EnvironmentLacks, KernportError, UsageError

NAME = re.compile(
    r"(?P<name>[^-]+)-(?P<version>[^-]+)(-\d[^-]*)?-(?P<python>[^-]+)-(?P<abi>[^-]+)-(?P<platform>[^-]+)\.whl"
)
ABI_SUFFIX = re.compile(r"\.(abi3|cpython-\w+(?:-[\w-]+)?)\.so$")
LEAST_METADATA = (2, 4)  # the first with License-Expression and License-File (PEP 639)


def audit_wheel(audit: Audit, tree: Tree, targets: Sequence[Target]) -> None:
    """Audit a wheel into `audit`. Raises UsageError if it is no wheel at all."""
    name = NAME.fullmatch(audit.path.name)
    if name is None:
        raise UsageError(f"{audit.path}: not a wheel's name; it is NAME-VERSION-PYTHON-ABI-PLATFORM.whl")
    try:
        with zipfile.ZipFile(audit.path) as archive:
            entries = archive.infolist()
            files = {entry.filename: archive.read(entry) for entry in entries if not entry.is_dir()}
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise UsageError(f"{audit.path}: not a whole wheel: {error}") from error
    info = f"{name['name']}-{name['version']}.dist-info"
    audit.facts[""] = {"tags": (name["python"], name["abi"], name["platform"])}
    _entries(audit, entries, info)
    _record(audit, files, info)
    _wheel_file(audit, files, info, name)
    _metadata(audit, files, info, name)
    _bill_of_materials(audit, files, info)
    elves: dict[str, ElfFacts] = {}
    for place, content in files.items():
        if is_elf(content):
            elves[place] = audit_elf(audit, tree, targets, place, content)
            if elves[place].stripped:
                audit.find(
                    "instructions", place, "it is stripped, so its kernels cannot be checked: keep .symtab"
                )
            _loaded(audit, place, name["abi"])
            _stable_abi(audit, place, elves[place], name["python"], name["abi"])
    _tags(audit, name["platform"], elves, targets)


def _entries(audit: Audit, entries: Sequence[zipfile.ZipInfo], info: str) -> None:
    seen: set[str] = set()
    for entry in entries:
        place = entry.filename
        mode = entry.external_attr >> 16
        path = PurePosixPath(place)
        if place in seen:
            audit.find("names", place, "the wheel has two files of this name")
        seen.add(place)
        if path.is_absolute() or ".." in path.parts or "\\" in place:
            audit.find("names", place, "the name leads out of the wheel")
        if "__pycache__" in path.parts or path.suffix in (".pyc", ".o", ".a"):
            audit.find("names", place, "what a build leaves behind does not belong into a wheel")
        if mode & 0o022:
            audit.find(
                "mode",
                place,
                f"others may write to it (mode {mode & 0o7777:04o}); make it {mode & 0o755:04o}",
            )
        if mode & (stat.S_ISUID | stat.S_ISGID):
            audit.find("mode", place, f"it is set-user or set-group (mode {mode & 0o7777:04o})")
        if stat.S_ISLNK(mode):
            audit.find("mode", place, "it is a symbolic link, which installers write out as text")
    if not any(name.startswith(f"{info}/") for name in seen):
        audit.find("names", "", f"it has no {info}")


def _record(audit: Audit, files: dict[str, bytes], info: str) -> None:
    place = f"{info}/RECORD"
    if place not in files:
        audit.find("record", place, "there is none, so nothing can be installed from it")
        return
    listed: set[str] = set()
    for row in csv.reader(io.StringIO(files[place].decode("utf-8", "replace"))):
        if len(row) != 3:
            audit.find("record", place, f"a line has {len(row)} fields, not 3: {','.join(row)}")
            continue
        path, digest, size = row
        listed.add(path)
        if path not in files:
            audit.find("record", path, "RECORD lists it, and the wheel does not have it")
        elif path == place:
            if digest:
                audit.find("record", path, "RECORD states a hash of itself")
        else:
            wanted = base64.urlsafe_b64encode(hashlib.sha256(files[path]).digest()).rstrip(b"=").decode()
            if digest != f"sha256={wanted}":
                audit.find("record", path, f"its hash is sha256={wanted}, and RECORD says {digest or 'none'}")
            if size != str(len(files[path])):
                audit.find(
                    "record", path, f"it has {len(files[path])} bytes, and RECORD says {size or 'none'}"
                )
    for path in sorted(files.keys() - listed):
        audit.find("record", path, "RECORD does not list it")


def _wheel_file(audit: Audit, files: dict[str, bytes], info: str, name: re.Match[str]) -> None:
    place = f"{info}/WHEEL"
    headers = email.parser.BytesHeaderParser().parsebytes(files.get(place, b""))
    wanted = {
        f"{python}-{abi}-{platform}"
        for python in name["python"].split(".")
        for abi in name["abi"].split(".")
        for platform in name["platform"].split(".")
    }
    tags = set(headers.get_all("Tag", []))
    if tags != wanted:
        audit.find(
            "tag",
            place,
            f"it says {', '.join(sorted(tags)) or 'no tag'}, the file's name {', '.join(sorted(wanted))}",
        )
    if headers.get("Root-Is-Purelib", "").lower() != "false" and any(map(is_elf, files.values())):
        audit.find("tag", place, "it says Root-Is-Purelib: true, and the wheel has extension modules")


def _metadata(audit: Audit, files: dict[str, bytes], info: str, name: re.Match[str]) -> None:
    place = f"{info}/METADATA"
    headers = email.parser.BytesHeaderParser().parsebytes(files.get(place, b""))
    version = headers.get("Metadata-Version", "0")
    audit.facts[""] = {
        **audit.facts[""],
        "metadata": version,
        "licence": headers.get("License-Expression", ""),
    }
    if tuple(int(word) for word in re.findall(r"\d+", version)) < LEAST_METADATA:
        audit.find("metadata", place, f"it is version {version}; 2.4 is the first that can state the licence")
    if not headers.get("License-Expression"):
        audit.find("metadata", place, "it states no License-Expression")
    licences = headers.get_all("License-File", [])
    if not licences:
        audit.find("metadata", place, "it names no License-File")
    for licence in licences:
        if f"{info}/licenses/{licence}" not in files:
            audit.find(
                "metadata",
                place,
                f"it names the licence {licence}, and {info}/licenses has none of that name",
            )
    said = (re.sub(r"[-_.]+", "_", headers.get("Name", "")).lower(), headers.get("Version", ""))
    if said != (name["name"].lower(), name["version"]):
        audit.find(
            "metadata",
            place,
            f"it says {said[0]} {said[1]}, the file's name {name['name']} {name['version']}",
        )


def _bill_of_materials(audit: Audit, files: dict[str, bytes], info: str) -> None:
    boms = [path for path in files if path.startswith(f"{info}/sboms/")]
    if not boms:
        audit.find("sbom", "", f"it has no bill of materials in {info}/sboms (PEP 770)")
    for place in boms:
        try:
            data = json.loads(files[place])
            kind = f"{data['bomFormat']} {data['specVersion']}"
        except (ValueError, KeyError, TypeError):
            audit.find("sbom", place, "it is no CycloneDX document in JSON")
        else:
            audit.facts[""] = {**audit.facts[""], "sbom": f"{PurePosixPath(place).name} ({kind})"}


def _loaded(audit: Audit, place: str, abi: str) -> None:
    """Find whether the Pythons of the tag look for an extension by this name (PEP 3149)."""
    suffix = ABI_SUFFIX.search(place)
    if suffix is None:
        return
    built = "abi3" if suffix[1] == "abi3" else f"cp{suffix[1].partition('-')[2].partition('-')[0]}"
    for tag in abi.split("."):
        if built == "abi3" and tag.endswith("t"):
            audit.find(
                "abi", place, f"free-threaded Pythons do not load the stable ABI, and the tag says {tag}"
            )
        elif built not in ("abi3", tag):
            audit.find(
                "abi", place, f"only a Python of ABI {built} looks for this name, and the tag says {tag}"
            )


def _stable_abi(audit: Audit, place: str, facts: ElfFacts, python: str, abi: str) -> None:
    """Find what is not in the stable ABI of the tag's oldest Python: abi3's, or one of several.

    These have no ABI in common by contract, but each has the stable ABI's functions.
    """
    pythons = python.split(".")
    shared = abi == "abi3" or ("." in abi and all(each.endswith("t") for each in abi.split(".")))
    if not shared or not all(re.fullmatch(r"cp3\d+", each) for each in pythons):
        return
    try:
        from abi3info import DATAS, FUNCTIONS
    except ImportError as error:
        raise EnvironmentLacks("abi3info is missing; pip install abi3info") from error
    known = {
        symbol.name: (entry.added.major, entry.added.minor)
        for table in (FUNCTIONS, DATAS)
        for symbol, entry in table.items()
    }
    least = (3, min(int(each.removeprefix("cp3")) for each in pythons))
    for each in facts.imports:
        if not each.symbol.startswith(("Py", "_Py")):
            continue
        if each.symbol not in known:
            audit.find(
                "stable-abi", place, f"{each.symbol} is not in Python's stable ABI, and the tag says {abi}"
            )
        elif known[each.symbol] > least:
            since = ".".join(map(str, known[each.symbol]))
            audit.find(
                "stable-abi", place, f"{each.symbol} came with Python {since}, and the tag says {python}"
            )


def _tags(audit: Audit, platform: str, elves: dict[str, ElfFacts], targets: Sequence[Target]) -> None:
    tags = platform.split(".")
    if platform == "any":
        if elves:
            audit.find("tag", "", "the tag says any platform, and the wheel has extension modules")
        return
    wrong = False
    for place, facts in elves.items():
        for tag in tags:
            if reason := wrong_tag(tag, facts, targets):
                audit.find("tag", place, reason)
                wrong = True
    if not elves:
        audit.find("tag", "", f"the tag says {platform}, and the wheel has no extension module: it is pure")
        return
    reason = next(filter(None, map(auditwheel.why_not_asked, elves.values())), "")
    if wrong:
        reason = "the tag is wrong"
    elif any(finding.rule == "record" for finding in audit.findings):
        reason = "RECORD is wrong"
    if reason:
        audit.facts[""] = {**audit.facts[""], "auditwheel": f"not asked: {reason}"}
        return
    try:
        said = auditwheel.verdict(audit.path, next(iter(elves.values())))
    except EnvironmentLacks:
        raise
    except KernportError as error:
        audit.find("auditwheel", "", f"it fails on this wheel: {error}")
        return
    audit.facts[""] = {**audit.facts[""], "auditwheel": said}
    for tag in tags:
        ours, theirs = parse(tag), parse(said)
        if ours.kind == "linux":
            continue
        if (ours.kind, ours.arch) != (theirs.kind, theirs.arch) or theirs.version > ours.version:
            audit.find("auditwheel", "", f"it says {said}, and the tag {tag}")
