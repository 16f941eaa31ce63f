# attack: read a host file by its absolute path
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

probe(lambda: open(SECRET_PATH).read())
probe(lambda: open("/etc/passwd").read())
probe(lambda: open("/proc/self/environ", "rb").read())
print('safe')
