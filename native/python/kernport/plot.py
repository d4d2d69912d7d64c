"""Drawings of what was measured, by matplotlib."""

import math
from collections.abc import Iterable
from pathlib import Path

from kernport.bench import Limit, Row
from kernport.errors import EnvironmentLacks

COLUMNS = 2


def plot(rows: Iterable[Row], limits: dict[str, Limit], path: Path) -> None:
    """Draw throughput over size as an SVG: a panel an operation and level, a line a kernel and peer.

    Raises EnvironmentLacks where matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise EnvironmentLacks("--plot needs matplotlib: pip install 'kernport[plot]'") from None
    rows = list(rows)
    sizes: dict[str, set[int]] = {}
    for row in rows:
        sizes.setdefault(row.operation, set()).add(row.bytes)
    several = {operation for operation, measured in sizes.items() if len(measured) > 1}
    panels: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.bytes and row.operation in several:
            panels.setdefault((row.operation, row.level), []).append(row)
    height = math.ceil(len(panels) / COLUMNS)
    figure = Figure(figsize=(6.4 * COLUMNS, 3.6 * max(height, 1)), layout="constrained")
    axes = list(figure.subplots(max(height, 1), COLUMNS, squeeze=False).flat)
    for axis in axes:
        axis.set_visible(False)
    for axis, ((operation, level), measured) in zip(axes, panels.items(), strict=False):
        axis.set_visible(True)
        kernels = list(dict.fromkeys(row.kernel for row in measured))
        for kernel in kernels:
            line = [row for row in measured if row.kernel == kernel]
            axis.plot([row.bytes for row in line], [row.gb_per_s for row in line], marker="o", label=kernel)
        line = [row for row in measured if row.kernel == kernels[0] and row.peer_ns is not None]
        if line:
            speeds = [row.gb_per_s * row.ns / row.peer_ns for row in line if row.peer_ns is not None]
            axis.plot([row.bytes for row in line], speeds, "k--", marker="s", label=line[0].peer)
        if operation in limits:
            limit = limits[operation]
            label = f"limit: {limit.per_block} {limit.instruction} for 16 bytes each"
            axis.axhline(limit.gb_per_s, color="grey", linestyle=":", label=label)
        caller = "C" if level == "c" else "Python"
        axis.set(title=f"{operation}, called from {caller}", xlabel="bytes", ylabel="GB/s", xscale="log")
        axis.minorticks_off()
        axis.set_ylim(bottom=0)
        axis.legend(fontsize="small")
    partial = path.with_name(f".{path.name}.partial")
    # Letters as letters, and the same names for the same things each time.
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "kernport"}):
        figure.savefig(partial, format="svg", metadata={"Date": None})
    partial.replace(path)
