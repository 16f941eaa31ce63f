# attack: run invalid bytecode
# expect: ok; error SystemError|TypeError|RuntimeError|ValueError|NameError|KeyboardInterrupt|UnboundLocalError; stop killed|steps|wall|memory
import types
def f(): pass
code = f.__code__.replace(co_code=bytes([116, 255, 100, 255, 83, 77, 131, 250, 25, 0] * 40), co_stacksize=1, co_consts=(), co_names=())
types.FunctionType(code, {})()
print("safe")
