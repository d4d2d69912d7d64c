/* What the extension's source asks of a Python's configuration: nothing. See Python.h beside this. */
