# attack: leave the interpreter politely
# expect: error SystemExit
import sys
sys.exit(0)
