# attack: count steps away with a trace function
# expect: stop wall|steps|killed
import sys
def trace(frame, event, arg):
    return trace
sys.settrace(trace)
while True:
    pass
