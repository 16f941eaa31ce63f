# attack: leave a broken interpreter behind
# expect: quiet; error NameError|AttributeError|TypeError|ImportError|KeyError|RuntimeError; stop killed
# aftermath: broken
import builtins, sys
sys.modules.clear()
builtins.__dict__.clear()
