"""Every artefact of every target in one folder, with what a person and a package manager need beside them.

One idea a file: `plan` says what there can be, `collect` builds it, `apt` makes a repository of the debs,
`page` tells a person about all of it.
"""
