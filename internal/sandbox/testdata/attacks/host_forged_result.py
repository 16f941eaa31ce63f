# attack: report a forged success and end the interpreter at once
# expect: error SystemExit
import _dr, os
_dr.result(1, "")
_dr.result(3, "")
os._exit(0)
