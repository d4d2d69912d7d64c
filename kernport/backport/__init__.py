"""Patch sets: whether they apply to a branch, proof that they work there, and every form they travel in."""
