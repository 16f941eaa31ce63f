# The warm parent of one side's processes, in its jail: starts once, imports, then forks a child for each program and
# never runs a line of one. Orders come on a socket, a message each:
#
#     s SEQ NAME=LIMIT...     with four descriptors: the child's channel to read and to write, its stdout, its stderr
#     k SEQ MS                the child SEQ has that long to leave, then it is killed
#
# and what became of each child is answered: e SEQ STATUS PEAK (wait4's status and KiB), or x SEQ and why there is none.
#
# A child is the first process of a pid namespace of its own: it can name no process outside, and whatever it started
# dies with it. It has the jail's folders for itself, since there is one child at a time: they are made anew when a
# program has touched them. Before any code of the program's runs it has closed all that is the zygote's, given up the
# capability to fork like this one, and locked itself in with limits and a filter of system calls.
#
# On a child's channel a frame is its length (4 bytes, little-endian), a kind, and its bytes. To the child: h an order of
# the host, s a request of the other side, r the reply to a request of this one. From it: r a reply, a a request, m a mark.
def zygote():
    import ctypes, gc, json, os, resource, select, signal, socket, sys, time, types

    NEWPID, DETACH = 0x20000000, 2
    RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, NOATIME, BIND, REC = 1, 2, 4, 8, 32, 1024, 4096, 16384
    SET_DUMPABLE, SET_SECCOMP, FILTER, SET_NO_NEW_PRIVS = 4, 22, 2, 38
    COARSE = 5  # the clock that stamps files

    libc = ctypes.PyDLL(None, use_errno=True)

    def done(result):
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

    def fresh(folder):
        """Mounts an empty folder in place of one that is not."""
        libc.umount2(folder, DETACH)
        done(libc.mount(b"none", folder, b"tmpfs", NOSUID | NODEV | NOATIME, options))
        inner = [(source, at) for source, at in kept if at.startswith(folder + b"/")]
        for source, at in inner:
            os.makedirs(at, exist_ok=True)
            done(libc.mount(source, at, None, BIND | REC, None))
        if inner:  # what lies on the way to them is the program's: nothing tells whether it was touched
            stamps[folder] = None
            return
        stamp = stamps[folder] = os.stat(folder).st_ctime_ns
        for _ in range(20):  # a change must have another stamp than the making
            if time.clock_gettime_ns(COARSE) > stamp:
                break
            time.sleep(0.001)

    # ---- the child ----

    unread = b""

    def receive():
        nonlocal unread
        while len(unread) < 5:
            more()
        n = int.from_bytes(unread[:4], "little") + 5
        if len(unread) > n - 1:
            head, unread = unread[:n], unread[n:]
            return head[4:5], head[5:]
        parts, n = [unread], n - len(unread)
        while n > 0:
            unread = b""
            more(n)
            parts.append(unread)
            n -= len(unread)
        unread = b""
        whole = b"".join(parts)
        return whole[4:5], whole[5:]

    leave = os._exit
    read, write = os.read, os.write

    def more(n=1 << 16):
        nonlocal unread
        got = read(3, min(n, 1 << 20))
        if not got:
            leave(0)
        unread += got

    def send(kind, data):
        data = len(data).to_bytes(4, "little") + kind + data
        while data:
            data = data[write(4, data):]

    def turn():
        """Serves the other side until the reply to this one's request comes."""
        while True:
            kind, data = receive()
            if kind == b"r":
                return data
            send(b"r", (begin if kind == b"h" else serve)(data))

    def ask(data):
        send(b"a", data)
        return turn()

    def mark():
        send(b"m", b"")
        turn()

    def child(descriptors, limits):
        os.setsid()
        for at, fd in zip((3, 4, 1, 2), descriptors):
            os.dup2(fd, at)
        os.dup2(os.open("/dev/null", os.O_RDWR), 0)
        os.closerange(5, most)
        os.chdir(folders[0])
        for what, n in limits:
            resource.setrlimit(what, (n, n))
        done(libc.capset(header, nothing))
        done(libc.prctl(SET_DUMPABLE, 0, 0, 0, 0))
        for module in seeded:
            sys.modules[module].seed()
        done(libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0))
        turn()

    # ---- the parent ----

    control = socket.socket(fileno=os.dup2(3, 20, inheritable=False))
    for fd in (3, 4):  # so that what arrives has higher numbers
        os.dup2(0, fd)
    os.closerange(5, 20)
    os.closerange(21, resource.getrlimit(resource.RLIMIT_NOFILE)[0])  # what the host's own parent left open
    most = 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, 4096))

    first = json.loads(control.recv(1 << 18))
    stamps, folders, options = {}, [f.encode() for f in first["folders"]], first["tmpfs"].encode()
    kept = [(source.encode(), at.encode()) for source, at in first["kept"]]
    os.chdir("/")
    for folder in folders:
        fresh(folder)
    for device in first["devices"]:  # or the owner may change their modes; for root those of the machine's own
        done(libc.mount(None, device.encode(), None, BIND | REMOUNT | RDONLY | NOSUID | NOEXEC, None))
    done(libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0))

    # struct sock_fprog, and capset's arguments: version 3, this process, no capability.
    class Program(ctypes.Structure):
        _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    code = bytes.fromhex(first["filter"])
    program = Program(len(code) // 8, code)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    home = os.pidfd_open(os.getpid())

    sys.path[:] = [p for p in sys.path if p]
    sys.argv[:] = [""]
    m = types.ModuleType("_harness")
    m.ask, m.mark, m.run = ask, mark, lambda code, space: exec(code, space)
    exec(compile(first["source"], "<harness>", "exec"), m.__dict__)
    begin, serve = m.begin, m.serve
    for name in first["preload"]:
        __import__(name)
    seeded = [name for name in ("random", "numpy.random") if name in sys.modules]
    del first
    gc.collect()
    gc.freeze()
    control.send(b"ready")

    def fork(order, descriptors):
        limits = [(getattr(resource, "RLIMIT_" + what), int(n)) for what, n in (part.split("=") for part in order)]
        for folder in folders:
            if os.stat(folder).st_ctime_ns != stamps[folder]:
                fresh(folder)
        done(libc.unshare(NEWPID))
        try:
            # Not os.fork: its hooks touch much memory, for threads that there are none of.
            pid = libc.fork()
            if pid == 0:
                try:
                    child(descriptors, limits)
                finally:
                    leave(1)
            return done(pid)
        finally:
            done(libc.setns(home, NEWPID))

    poller = select.poll()
    poller.register(control, select.POLLIN)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 4096, 4)
        if not message:
            leave(0)
        kind, seq, *order = message.decode().split()
        if kind != "s":
            continue  # that one is gone already
        try:
            pid = fork(order, descriptors)
        except OSError as e:
            control.send(f"x {seq} {e}".encode())
            continue
        finally:
            for fd in descriptors:
                os.close(fd)
        watch = os.pidfd_open(pid)
        poller.register(watch, select.POLLIN)
        deadline = None
        while True:
            left = None if deadline is None else max(0, (deadline - time.monotonic()) * 1000)
            if left == 0:  # without another look at the socket, where the next order may wait
                os.kill(pid, signal.SIGKILL)
                break
            ready = [fd for fd, _ in poller.poll(left)]
            if watch in ready:
                break
            if not ready:
                continue
            message = control.recv(4096)
            if not message:
                leave(0)
            kind, of, ms = message.decode().split()
            if of == seq:
                deadline = time.monotonic() + int(ms) / 1000
        _, status, usage = os.wait4(pid, 0)
        poller.unregister(watch)
        os.close(watch)
        control.send(f"e {seq} {status} {usage.ru_maxrss}".encode())


zygote()
