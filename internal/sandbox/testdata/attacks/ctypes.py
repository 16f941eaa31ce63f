# attack: reach native memory
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

probe(lambda: __import__("ctypes"))
probe(lambda: __import__("_ctypes"))
probe(lambda: __import__("mmap").mmap(-1, 100))
probe(lambda: __import__("cffi"))
probe(lambda: __import__("importlib.machinery").machinery.ExtensionFileLoader("x", "/tmp/x.so").load_module())
print('safe')
