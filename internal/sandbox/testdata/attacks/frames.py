# attack: walk frames and the heap to objects of the host
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import sys, gc, types
seen = set()
frame = sys._getframe()
while frame is not None:
    seen |= set(map(repr, frame.f_globals)) | set(map(repr, frame.f_locals))
    frame = frame.f_back
for x in gc.get_objects():
    if isinstance(x, (str, bytes)) and SECRET_WORD in str(x) and x is not SECRET_WORD:
        print("BREACH", x)
    if isinstance(x, dict):
        for k, v in list(x.items()):
            if isinstance(v, str) and "HOSTENV" in v and k not in ("SECRET_WORD", "SECRET_PATH"):
                print("BREACH", k)
for cls in object.__subclasses__():
    if cls.__name__ in ("Popen", "Quitter"):
        probe(lambda: cls("id"))
print('safe')
