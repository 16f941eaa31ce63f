# attack: write control sequences and invalid text
# expect: ok
import os, sys
sys.stdout.write("\x1b[2J\x1b]0;title\x07\ud800\udfff")
os.write(1, b"\xff\xfe\x00")
sys.stdout.buffer.write(b"\xc3\x28\n")
print("safe")
