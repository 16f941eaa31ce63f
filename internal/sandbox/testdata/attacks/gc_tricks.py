# attack: resurrect objects for ever in finalisers
# expect: stop wall|steps|memory|killed; ok
import gc
class Phoenix:
    def __init__(self):
        self.me = self
    def __del__(self):
        Phoenix(), Phoenix()
        gc.collect()
Phoenix()
while True:
    gc.collect()
