# attack: corrupt the interpreter's memory through a forged bytearray
# expect: ok; error AttributeError|TypeError|SystemError|BufferError|RuntimeError; stop killed|steps|wall|memory
def forge():
    def g(): return 0
    consts = (0,)
    import types
    code = g.__code__.replace(co_code=bytes([151, 0, 100, 200, 83, 0]), co_consts=consts)
    return types.FunctionType(code, {})()
try:
    print(len(repr(forge())) >= 0)
except Exception:
    pass
print("safe")
