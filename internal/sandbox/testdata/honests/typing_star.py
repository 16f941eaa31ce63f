# honest: from typing import *
from typing import *
from math import *
def solve(xs: List[int]) -> Optional[int]: return sum(int(pow(x, 2)) for x in xs)
