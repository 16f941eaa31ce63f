# attack: empty and replace __main__
# expect: ok; error NameError
# aftermath: broken
import sys
sys.modules["__main__"] = None
globals().clear()
