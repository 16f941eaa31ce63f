# attack: take the output streams away
# expect: quiet
import sys
del sys.stdout, sys.stderr
sys.__stdout__ = None
