"""The library's own commands, which the command line has beside those of the toolkit."""
