"""The native builders' configuration and workflows name what the recipe names alone, and one is run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import planted
import pytest
import yaml
from manylinux_image import manylinux_image

from kernport.build.audit import audit_file
from kernport.build.contents import tree_files
from kernport.build.matrix import cibuildwheel_identifier, workflow
from kernport.build.target import host_target
from kernport.errors import EnvironmentLacks

LINUX = [each for each in planted.TARGETS.values() if each.os == "linux" and each.wheel_tag]


def test_cibuildwheel_builds_what_the_recipe_lists_and_it_knows() -> None:
    architectures = pytest.importorskip(
        "cibuildwheel.architecture", reason="cibuildwheel is missing; pip install cibuildwheel"
    )
    process = subprocess.run(
        [
            sys.executable,
            "-m",
            "cibuildwheel",
            "--print-build-identifiers",
            "--platform",
            "linux",
            str(planted.ROOT),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    known = {each.value for each in architectures.Architecture}
    ours = {cibuildwheel_identifier(each) for each in LINUX} - {""}
    built = {each for each in ours if each.split("_", 1)[1] in known}
    assert set(process.stdout.split()) == built
    # What it does not know is what this project builds across.
    assert ours - built == {"cp311-manylinux_ppc64", "cp311-musllinux_ppc"}


@pytest.mark.parametrize(
    ("service", "schema", "options"),
    [
        ("github", "vendor.github-workflows", []),
        ("gitlab", "vendor.gitlab-ci", ["--data-transform", "gitlab-ci"]),
    ],
)
def test_workflows_are_what_their_services_read(
    tmp_path: Path, service: str, schema: str, options: list[str]
) -> None:
    pytest.importorskip(
        "check_jsonschema", reason="check-jsonschema is missing; pip install check-jsonschema"
    )
    text = workflow(service, list(planted.TARGETS.values()))
    path = tmp_path / "workflow.yml"
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *options, str(path)]
    for written, code in ((text, 0), (text.replace("script:", "scripts:").replace("runs-on:", "runs:"), 1)):
        path.write_text(written, encoding="utf-8")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
    # Anchors are none of JSON's, and so not in the schemas: GitHub knows them since 2025 only.
    assert not any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text))


def test_github_has_a_cross_build_of_every_wheel() -> None:
    jobs = yaml.safe_load(workflow("github", list(planted.TARGETS.values())))["jobs"]
    rows = jobs["cross"]["strategy"]["matrix"]["include"]
    assert [row["target"] for row in rows] == [
        each.name for each in planted.TARGETS.values() if each.wheel_tag
    ]
    packages = {row["target"]: row["packages"].split() for row in rows}
    for each in planted.TARGETS.values():
        if each.wheel_tag:
            assert set(each.gcc_packages) <= set(packages[each.name])
    native = jobs["native"]["strategy"]["matrix"]["include"]
    assert {row["target"] for row in native} == {each.name for each in LINUX if each.runners}
    assert all(row["build"] and row["runner"] for row in native)


def test_gitlab_has_a_cross_build_of_every_wheel() -> None:
    jobs = yaml.safe_load(workflow("gitlab", list(planted.TARGETS.values())))
    rows = jobs["cross"]["parallel"]["matrix"]
    assert [row["TARGET"] for row in rows] == [
        each.name for each in planted.TARGETS.values() if each.wheel_tag
    ]
    assert {row["TARGET"] for row in jobs["native"]["parallel"]["matrix"]} == {
        each.name for each in LINUX if each.runners
    }


@pytest.mark.long
def test_cibuildwheel_builds_audits_and_uses_the_wheel(tmp_path: Path) -> None:
    pytest.importorskip("cibuildwheel", reason="cibuildwheel is missing; pip install cibuildwheel")
    target = planted.TARGETS[host_target(planted.TARGETS)]
    identifier = cibuildwheel_identifier(target)
    try:
        image = manylinux_image(target)
    except EnvironmentLacks as error:
        pytest.skip(str(error))
    # It copies all that lies in the folder.
    project, out = tmp_path / "project", tmp_path / "out"
    for name in tree_files(planted.ROOT):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(planted.ROOT / name, project / name)
    architecture = identifier.rpartition("manylinux_")[2]
    settings = {
        "CIBW_CACHE_PATH": str(image.cache),
        "CIBW_CONTAINER_ENGINE": "podman; disable_host_mount: true",
        "CIBW_DEPENDENCY_VERSIONS": "latest",
        f"CIBW_MANYLINUX_{architecture.upper()}_IMAGE": image.name,
    }
    command = [sys.executable, "-m", "cibuildwheel", "--only", identifier, "--output-dir", str(out), "."]
    done = subprocess.run(
        command,
        cwd=project,
        env=os.environ | image.environment | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    (wheel,) = out.iterdir()
    project_name, _, python, abi, tag = wheel.stem.split("-")
    assert (project_name, python, abi) == (planted.TREE.name, "cp311", "abi3")
    assert tag.startswith("manylinux_2_") and tag.endswith(f"_{architecture}")
    # What pyproject.toml asks for was run: abi3audit outside, the test command in the container.
    assert '"is_abi3_baseline_compatible": true' in done.stdout
    assert "it is the best that can run here" in done.stdout.partition("Testing wheel...")[2]
    # meson-python alone lets a group write to metadata, and adds no bill of materials.
    findings = audit_file(wheel, planted.TREE, list(planted.TARGETS.values())).findings
    assert {each.rule for each in findings} <= {"mode", "sbom"}, findings
