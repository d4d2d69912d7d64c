"""Workflows for hosted builders, made from recipes/targets.yaml: one job a target, then one for all."""

from collections.abc import Callable, Sequence
from typing import Any

import yaml

from kernport.build.target import Target

PYTHON = "3.13"
INSTALL = "python -m pip install .[build]"
# zig brings the compiler of most targets; the others' comes from the system, and so does llvm-objdump.
AUDIT_PACKAGES = ("llvm-19",)


def github(targets: Sequence[Target]) -> dict[str, Any]:
    """A GitHub Actions workflow: cross builds on one kind of runner, native ones where a runner is native."""
    checkout = {"uses": "actions/checkout@v4", "with": {"persist-credentials": False}}
    python = {"uses": "actions/setup-python@v5", "with": {"python-version": PYTHON}}

    def upload(name: str, folder: str) -> dict[str, Any]:
        return {"uses": "actions/upload-artifact@v4", "with": {"name": name, "path": folder}}

    rows = [
        {"target": each.name, "packages": " ".join([*AUDIT_PACKAGES, *each.gcc_packages])}
        for each in _with_wheel(targets)
    ]
    native = [
        {"target": each.name, "runner": each.runners["github"], "build": cibuildwheel_identifier(each)}
        for each in _native(targets, "github")
    ]
    jobs: dict[str, Any] = {
        "cross": {
            "name": "${{ matrix.target }}",
            "runs-on": "ubuntu-24.04",
            "strategy": {"fail-fast": False, "matrix": {"include": rows}},
            "steps": [
                checkout,
                python,
                {"run": "sudo apt-get update && sudo apt-get install -y ${{ matrix.packages }}"},
                {"run": INSTALL},
                {"run": "kernport build wheel --target ${{ matrix.target }} --verify"},
                {"run": "kernport audit dist/*.whl"},
                upload("wheel-${{ matrix.target }}", "dist/*.whl"),
            ],
        },
        "native": {
            "name": "${{ matrix.target }} (native)",
            "runs-on": "${{ matrix.runner }}",
            "strategy": {"fail-fast": False, "matrix": {"include": native}},
            "steps": [
                checkout,
                {
                    "uses": "pypa/cibuildwheel@v3.2.1",
                    "env": {"CIBW_BUILD": "${{ matrix.build }}", "CIBW_ARCHS": "native"},
                },
                upload("native-${{ matrix.target }}", "wheelhouse/*.whl"),
            ],
        },
        "index": {
            "runs-on": "ubuntu-24.04",
            "needs": "cross",
            "steps": [
                checkout,
                python,
                {"run": INSTALL},
                {
                    "uses": "actions/download-artifact@v4",
                    "with": {"path": "dist", "merge-multiple": True, "pattern": "wheel-*"},
                },
                {"run": "kernport build sdist --verify\nkernport index dist\n"},
                upload("index", "dist"),
            ],
        },
    }
    return {
        "name": "wheels",
        "on": ["push", "pull_request"],
        "permissions": {"contents": "read"},
        "jobs": jobs,
    }


def gitlab(targets: Sequence[Target]) -> dict[str, Any]:
    """A GitLab CI pipeline that does the same."""
    rows = [
        {"TARGET": each.name, "PACKAGES": " ".join([*AUDIT_PACKAGES, *each.gcc_packages])}
        for each in _with_wheel(targets)
    ]
    native = [
        {"TARGET": each.name, "RUNNER": each.runners["gitlab"], "CIBW_BUILD": cibuildwheel_identifier(each)}
        for each in _native(targets, "gitlab")
    ]
    prepare = ["apt-get update && apt-get install -y --no-install-recommends git $PACKAGES", INSTALL]
    return {
        "stages": ["build", "index"],
        "cross": {
            "stage": "build",
            "image": f"python:{PYTHON}-trixie",
            "parallel": {"matrix": rows},
            "script": [
                *prepare,
                "kernport build wheel --target $TARGET --verify",
                "kernport audit dist/*.whl",
            ],
            "artifacts": {"paths": ["dist/*.whl"]},
        },
        "native": {
            "stage": "build",
            "image": f"python:{PYTHON}-trixie",
            "services": [{"name": "docker:dind"}],
            "tags": ["$RUNNER"],
            "parallel": {"matrix": native},
            "variables": {
                "CIBW_ARCHS": "native",
                "DOCKER_HOST": "tcp://docker:2375",
                "DOCKER_TLS_CERTDIR": "",
            },
            "script": [
                "apt-get update && apt-get install -y --no-install-recommends docker-cli",
                "python -m pip install cibuildwheel",
                "cibuildwheel --output-dir wheelhouse",
            ],
            "artifacts": {"paths": ["wheelhouse/*.whl"]},
        },
        "index": {
            "stage": "index",
            "image": f"python:{PYTHON}-trixie",
            "needs": ["cross"],
            "variables": {"PACKAGES": ""},
            "script": [*prepare, "kernport build sdist --verify", "kernport index dist"],
            "artifacts": {"paths": ["dist"]},
        },
    }


SERVICES: dict[str, Callable[[Sequence[Target]], dict[str, Any]]] = {"github": github, "gitlab": gitlab}


class WithoutAnchors(yaml.SafeDumper):
    """Writes out what stands in several places: not every service knows anchors."""

    def ignore_aliases(self, data: object) -> bool:
        """Never refer to another place."""
        return True


def workflow(service: str, targets: Sequence[Target]) -> str:
    """The workflow of a service, as YAML."""
    text = yaml.dump(SERVICES[service](targets), Dumper=WithoutAnchors, sort_keys=False, width=120)
    return f"# Made by `kernport build --matrix {service}` from recipes/targets.yaml: change that.\n{text}"


def cibuildwheel_identifier(target: Target) -> str:
    """cibuildwheel's name for a target's build, as cp311-manylinux_x86_64; empty where the tag is another."""
    kind = {"glibc": "manylinux", "musl": "musllinux"}.get(target.libc, "")
    if not kind or not target.wheel_tag.startswith(f"{kind}_"):
        return ""
    return f"cp311-{kind}_{target.wheel_tag.split('_', 3)[3]}"


def _with_wheel(targets: Sequence[Target]) -> list[Target]:
    return [each for each in targets if each.wheel_tag]


def _native(targets: Sequence[Target], service: str) -> list[Target]:
    return [each for each in _with_wheel(targets) if service in each.runners]
