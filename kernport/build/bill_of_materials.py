"""What artefacts are made of, as CycloneDX documents: the kernels inside, their sources, the tools."""

import hashlib
import io
import json
import time
import uuid
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from kernport.build.contents import epoch
from kernport.build.recipe import Tree
from kernport.build.target import Target
from kernport.build.toolchain import compiler_version

SPECIFICATION = "1.6"
# zig's runtime library for what the processor lacks instructions for, and the licence it is under.
COMPILER_RUNTIME, COMPILER_RUNTIME_LICENCE = "compiler_rt", "MIT"


def bill_of_materials(tree: Tree, target: Target, libraries: dict[str, bytes]) -> bytes:
    """The CycloneDX document of a target's wheel with those shared libraries: JSON, the same each time."""
    name = f"pkg:pypi/{tree.name}@{tree.version}"
    components = [_component("file", place, _hashed(content)) for place, content in libraries.items()]
    components += _kernels(tree, target.variant.name)
    tool, tool_version = compiler_version(target)
    if any(_has_compiler_runtime(content) for content in libraries.values()):
        runtime = _component("library", COMPILER_RUNTIME, {"version": tool_version})
        runtime["licenses"] = [{"license": {"id": COMPILER_RUNTIME_LICENCE}}]
        components.append(runtime)
    tools = [{"type": "application", "name": tool, "version": tool_version}, *_tools()]
    return _document(tree, name, tools, components, [{"name": "target", "value": target.name}])


def bill_of_everything(tree: Tree, artefacts: Mapping[str, tuple[Path, str, str]]) -> bytes:
    """The CycloneDX document of many artefacts, name: (path, format, target); an sdist has no target."""
    name = f"pkg:generic/{tree.name}@{tree.version}"
    components = []
    for place, (path, form, target) in sorted(artefacts.items()):
        component = _component("file", place, _hashed(path.read_bytes()))
        properties = [{"name": "format", "value": form}, {"name": "target", "value": target}]
        component["properties"] = [each for each in properties if each["value"]]
        components.append(component)
    return _document(tree, name, _tools(), components + _kernels(tree), [])


def _kernels(tree: Tree, arch: str = "") -> list[dict[str, Any]]:
    """The kernels of an architecture, or of all."""
    components = []
    for family in tree.families:
        for kernel in family.kernels:
            if not arch or kernel.runs_on(arch):
                body = b"".join((tree.root / source).read_bytes() for source in kernel.sources)
                sources = [{"name": "source", "value": source} for source in kernel.sources]
                component = _component("library", f"{family.name}/{kernel.name}", _hashed(body))
                component["licenses"] = [{"expression": tree.licence}]
                component["properties"] = sources + [
                    {"name": "requires", "value": feature} for feature in kernel.requires
                ]
                components.append(component)
    return components


def _tools() -> list[dict[str, str]]:
    return [
        {"type": "application", "name": each, "version": version(each)}
        for each in ("meson", "meson-python", "cffi")
    ]


def _document(
    tree: Tree,
    name: str,
    tools: list[dict[str, str]],
    components: list[dict[str, Any]],
    properties: list[dict[str, str]],
) -> bytes:
    component = {
        "type": "library",
        "bom-ref": name,
        "name": tree.name,
        "version": tree.version,
        "purl": name,
        "description": tree.summary,
        "licenses": [{"expression": tree.licence}],
    }
    document: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())),
            "tools": {"components": tools},
            "component": component | ({"properties": properties} if properties else {}),
        },
        "components": components,
        "dependencies": [{"ref": name, "dependsOn": [each["bom-ref"] for each in components]}],
    }
    text = json.dumps(document, sort_keys=True)
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, text)}"
    return (json.dumps(document, indent=2, sort_keys=True) + "\n").encode()


def _component(kind: str, name: str, more: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "bom-ref": f"{kind}:{name}", "name": name, **more}


def _hashed(content: bytes) -> dict[str, Any]:
    return {"hashes": [{"alg": "SHA-256", "content": hashlib.sha256(content).hexdigest()}]}


def _has_compiler_runtime(content: bytes) -> bool:
    tables = ELFFile(io.BytesIO(content)).iter_sections()
    return any(
        symbol.name.startswith(f"{COMPILER_RUNTIME}.")
        for table in tables
        if isinstance(table, SymbolTableSection)
        for symbol in table.iter_symbols()
    )
