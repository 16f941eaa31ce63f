# attack: run code and take memory through pickle
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import pickle, os
class Run:
    def __reduce__(self):
        return (os.system, ("id",)) if hasattr(os, "system") else (open, (SECRET_PATH,))
probe(lambda: pickle.loads(pickle.dumps(Run())))
probe(lambda: pickle.loads(b"cos\nsystem\n(S'id'\ntR."))
probe(lambda: pickle.loads(b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\xff\x7fx."))
print('safe')
