# attack: fork without end
# expect: error AttributeError
import os
while True:
    os.fork()
