# attack: end the interpreter behind the patched os._exit
# expect: error SystemExit|AttributeError; stop killed
import importlib, sys
sys.modules.pop("posix")
fresh = importlib.import_module("posix")
fresh._exit(7)
