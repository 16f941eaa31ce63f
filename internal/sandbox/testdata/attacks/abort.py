# attack: abort the interpreter
# expect: stop killed
import os
os.abort()
