# cheat: report a finished load without an entry that is one
# verdict: failed
import _dr, sys
_dr.result(0, '{"verdict": "passed", "names": [["solve", "value", 0, [14, []], []]]}')
_dr.guard(bool)
sys.exit(0)
