# attack: empty and replace __main__
# expect: quiet; error NameError
# aftermath: broken
import sys
sys.modules["__main__"] = None
globals().clear()
