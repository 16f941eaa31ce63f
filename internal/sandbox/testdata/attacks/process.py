# attack: start a process in every way
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import os, subprocess
probe(lambda: os.fork())
probe(lambda: os.system("id"))
probe(lambda: os.popen("id").read())
probe(lambda: os.execv("/bin/sh", ["sh", "-c", "id"]))
probe(lambda: os.posix_spawn("/bin/sh", ["sh"], {}))
probe(lambda: subprocess.run(["id"], capture_output=True).stdout)
probe(lambda: subprocess.Popen("id", shell=True))
probe(lambda: __import__("multiprocessing").Process(target=print).start())
probe(lambda: __import__("pty").spawn("sh"))
print('safe')
