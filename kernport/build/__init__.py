"""From recipes to artefacts. Nothing here imports the runtime modules of the package."""
