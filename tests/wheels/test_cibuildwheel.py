"""The native builders' configuration and workflows name what the recipe names, and nothing else."""

import subprocess
import sys

import planted
import pytest
import yaml

from kernport.build.matrix import cibuildwheel_identifier, workflow

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
