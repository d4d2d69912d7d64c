"""checkasm for any target: build it, run it on every CPU row, count instructions, predict cycles.

The program itself is tests/checkasm of a tree; docs/checkasm.md says what it checks.
"""
