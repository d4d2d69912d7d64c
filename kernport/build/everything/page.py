"""A page for a person: what was built, what was not and why, how it is installed, and every file's sum."""

import hashlib
from collections.abc import Sequence
from html import escape
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from kernport.build.everything.apt import source_line
from kernport.build.everything.plan import formats_of
from kernport.build.recipe import Tree

if TYPE_CHECKING:
    from kernport.build.everything.collect import Outcome, SourcePackage

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bad: #c22; --good: #2a7; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
h1 { margin-bottom: 0; } h1 + p { margin-top: .2rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { border: 1px solid var(--line); padding: .3rem .5rem; text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; background: Canvas; }
tbody tr:nth-child(odd) { background: var(--soft); }
.wide { overflow-x: auto; } .none { opacity: .7; }
.failed { color: var(--bad); font-weight: 600; } .built { color: var(--good); font-weight: 600; }
code, pre { font-family: ui-monospace, monospace; font-size: .85em; }
pre { background: var(--soft); padding: .7rem; overflow-x: auto; } .sum { word-break: break-all; }
"""


def write_page(
    tree: Tree,
    outcomes: "Sequence[Outcome]",
    sources: "Sequence[SourcePackage]",
    root: Path,
    sdist: str,
    path: Path,
    signed: bool,
) -> None:
    """Write the page of the artefacts in `root`; its links are relative, so that the folder can be moved.

    The apt repository is `signed` or not.
    """
    title = f"{tree.name} {tree.version}"
    names = [sdist, *(name for each in outcomes for name in each.files)]
    names += [name for each in sources for name in each.files]
    failed = [each for each in outcomes if each.error]
    counts = f'<span class="built">{len(names)} files</span>'
    if failed:
        counts += f', <span class="failed">{len(failed)} failed</span>'
    said = [each.cell.reason or each.cell.note for each in outcomes]
    notes = list(dict.fromkeys(each for each in said if each))
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(tree.summary)}. {escape(tree.licence)}. {counts}.</p>",
        *_install(tree, outcomes, signed),
        "<h2>What there is</h2>",
        "<p>What was built for each target in each format. A number says why there is none, or what is to be "
        "known of it.</p>",
        _matrix(tree, outcomes, notes),
        *_notes(notes),
        *_failures(failed),
        "<h2>Source packages</h2>",
        *(_source(each) for each in sources),
        "<h2>Files</h2>",
        _files(root, names),
        f'<p>Sums of all files: <a href="SHA256SUMS">SHA256SUMS</a>, for <code>sha256sum -c</code>. What the '
        f'artefacts are made of: <a href="{escape(tree.name)}-{escape(tree.version)}.cdx.json">a CycloneDX '
        "document</a>.</p>",
    ]
    body = "\n".join(parts)
    path.write_text(
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n",
        encoding="utf-8",
    )


def _install(tree: Tree, outcomes: "Sequence[Outcome]", signed: bool) -> list[str]:
    name = escape(tree.name)
    files = [PurePosixPath(each) for outcome in outcomes for each in outcome.files]
    lines = []
    if any(each.suffix == ".whl" for each in files):
        lines.append(f"pip install --index-url file:///PATH/wheels/simple {name}")
    debs = {each.parts[0]: each.name.partition("_")[0] for each in files if each.suffix == ".deb"}
    for folder, package in debs.items():
        source = escape(source_line(tree, f"/PATH/{folder}", signed))
        lines.append(f"echo '{source}' &gt; /etc/apt/sources.list.d/{name}.list")
        lines.append(f"apt-get update &amp;&amp; apt-get install {escape(package)}")
    built = {each.cell.form for each in outcomes if each.files}
    for form in tree.formats:
        if form.install and form.name in built:
            lines.append(escape(form.install.format(folder=form.folder.format(arch="ARCH"))))
    if not lines:
        return []
    return ["<h2>How to install</h2>", f"<pre>{chr(10).join(lines)}</pre>"]


def _matrix(tree: Tree, outcomes: "Sequence[Outcome]", notes: list[str]) -> str:
    head = "".join(f"<th>{escape(form)}</th>" for form in formats_of(tree))
    rows: dict[str, list[str]] = {}
    for each in outcomes:
        row = rows.setdefault(each.cell.target.name, [])
        said = each.cell.reason or each.cell.note
        number = notes.index(said) + 1 if said else 0
        mark = f' <a href="#note-{number}" title="{escape(said)}">({number})</a>' if said else ""
        if each.cell.reason:
            row.append(f'<td class="none">none{mark}</td>')
        elif each.error:
            row.append(f'<td class="failed"><a href="#{_anchor(each)}">failed</a></td>')
        else:
            links = "<br>".join(f'<a href="{escape(name)}">{escape(_short(name))}</a>' for name in each.files)
            row.append(f"<td>{links}{mark}</td>")
    body = "\n".join(f"<tr><th>{escape(name)}</th>{''.join(cells)}</tr>" for name, cells in rows.items())
    return (
        f'<div class="wide"><table>\n<thead><tr><th>target</th>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _short(name: str) -> str:
    """What a link says: a wheel's ABI and platform, or the package without its version and architecture."""
    file = PurePosixPath(name).name
    if file.endswith(".whl"):
        return "-".join(file.removesuffix(".whl").split("-")[-2:])
    words = file.replace("_", "-").split("-")
    number = next((index for index, word in enumerate(words) if word[:1].isdigit()), len(words))
    return "-".join(words[:number]) or file


def _notes(notes: list[str]) -> list[str]:
    if not notes:
        return []
    items = "\n".join(f'<li id="note-{number}">{escape(note)}</li>' for number, note in enumerate(notes, 1))
    return ["<h2>Why there is none, and notes</h2>", f"<ol>\n{items}\n</ol>"]


def _source(source: "SourcePackage") -> str:
    if source.reason:
        return f"<h3>{escape(source.form)}</h3>\n<p>none: {escape(source.reason)}</p>"
    links = ", ".join(
        f'<a href="{escape(name)}">{escape(name.partition(f"{source.form}/")[2])}</a>'
        for name in source.files
    )
    return f"<h3>{escape(source.form)}</h3>\n<p>{links}</p>\n<pre>{escape(source.steps)}</pre>"


def _failures(failed: "Sequence[Outcome]") -> list[str]:
    if not failed:
        return []
    parts = ["<h2>What failed</h2>"]
    for each in failed:
        parts.append(
            f'<h3 id="{_anchor(each)}">{escape(each.cell.form)}, {escape(each.cell.target.name)}</h3>\n'
            f"<pre>{escape(each.error)}</pre>"
        )
    return parts


def _anchor(outcome: "Outcome") -> str:
    return escape(f"failed-{outcome.cell.form}-{outcome.cell.target.name}")


def _files(root: Path, names: Sequence[str]) -> str:
    rows = []
    for name in names:
        content = (root / name).read_bytes()
        rows.append(
            f'<tr><td><a href="{escape(name)}">{escape(name)}</a></td><td>{len(content):,}</td>'
            f'<td class="sum"><code>{hashlib.sha256(content).hexdigest()}</code></td></tr>'
        )
    return (
        '<div class="wide"><table>\n<thead><tr><th>file</th><th>bytes</th><th>SHA-256</th></tr></thead>\n'
        f"<tbody>\n{chr(10).join(rows)}\n</tbody></table></div>"
    )
