# attack: keys that all collide
# expect: stop wall|steps|killed
class K:
    def __hash__(self):
        return 1
    def __eq__(self, other):
        return False
d = {}
while True:
    d[K()] = 1
