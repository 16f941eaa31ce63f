# honest: a future import and a docstring first
'''Sums.'''
from __future__ import annotations
def solve(xs: list[Unknown]) -> Nothing: return sum(x * x for x in xs)
