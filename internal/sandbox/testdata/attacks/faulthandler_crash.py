# attack: crash with the interpreter's own test functions
# expect: stop killed; error AttributeError|ModuleNotFoundError|RuntimeError
import faulthandler
faulthandler._sigsegv()
faulthandler._stack_overflow()
