"""Packages for a system's package manager: one format a file.

A format's file defines `options(target)`, Meson's options that lay files out as its distributions
do, and `write(tree, target, output, stage, out)`, which makes one package of what lies in `stage`.
"""

FORMATS = ("deb",)
