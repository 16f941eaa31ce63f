# honest: threads and pools, done at once
from concurrent.futures import ThreadPoolExecutor
import threading
lock = threading.Lock()
def solve(xs):
    with ThreadPoolExecutor() as p, lock: return sum(p.map(lambda x: x * x, xs))
