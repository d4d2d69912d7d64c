"""What a wheel is made of, as a CycloneDX document: the kernels inside, their sources, the tools."""

import hashlib
import io
import json
import time
import uuid
from importlib.metadata import version
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
    for family in tree.families:
        for kernel in family.kernels:
            if kernel.runs_on(target.variant.name):
                body = b"".join((tree.root / source).read_bytes() for source in kernel.sources)
                sources = [{"name": "source", "value": source} for source in kernel.sources]
                component = _component("library", f"{family.name}/{kernel.name}", _hashed(body))
                component["licenses"] = [{"expression": tree.licence}]
                component["properties"] = sources + [
                    {"name": "requires", "value": feature} for feature in kernel.requires
                ]
                components.append(component)
    tool, tool_version = compiler_version(target)
    if any(_has_compiler_runtime(content) for content in libraries.values()):
        runtime = _component("library", COMPILER_RUNTIME, {"version": tool_version})
        runtime["licenses"] = [{"license": {"id": COMPILER_RUNTIME_LICENCE}}]
        components.append(runtime)
    tools = [{"type": "application", "name": tool, "version": tool_version}]
    tools += [
        {"type": "application", "name": each, "version": version(each)}
        for each in ("meson", "meson-python", "cffi")
    ]
    document: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())),
            "tools": {"components": tools},
            "component": {
                "type": "library",
                "bom-ref": name,
                "name": tree.name,
                "version": tree.version,
                "purl": name,
                "description": tree.summary,
                "licenses": [{"expression": tree.licence}],
                "properties": [{"name": "target", "value": target.name}],
            },
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
