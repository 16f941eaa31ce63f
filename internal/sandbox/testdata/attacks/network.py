# attack: open a network connection
# expect: ok
def probe(f):
    try:
        got = f()
    except Exception as e:
        return
    print("BREACH", got)

import socket, asyncio, urllib.request, http.client
probe(lambda: socket.create_connection(("127.0.0.1", HOST_PORT), 1))
probe(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).connect(("127.0.0.1", HOST_PORT)))
probe(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", HOST_PORT)))
probe(lambda: socket.getaddrinfo("localhost", 80))
probe(lambda: socket.socket(fileno=3).getpeername())
probe(lambda: urllib.request.urlopen(f"http://127.0.0.1:{HOST_PORT}/", timeout=1).read())
probe(lambda: urllib.request.urlopen("file://" + SECRET_PATH).read())
probe(lambda: asyncio.run(asyncio.open_connection("127.0.0.1", HOST_PORT)))
print('safe')
