# The warm parent of one side's processes, in its jail: starts once, imports, then forks a child for each program and
# never runs a line of one. Orders come on a socket, a message each:
#
#     s SEQ LIMIT...    with descriptors: the child's stdout and stderr, where it has any, its channel to read and to write
#     k SEQ MS          the child SEQ has that long to leave, then it is killed
#
# and what became of each child is answered: e SEQ STATUS PEAK (wait4's status and KiB), or x SEQ and why there is none.
#
# A child is the first process of a pid namespace of its own: it can name no process outside, and whatever it started
# dies with it. It has the jail's folders for itself, since there is one child at a time: they are made anew when a
# program has touched them. Before any code of the program's runs it has closed all that is the zygote's and given up its
# capabilities, without which the filter of system calls, which both have, lets it start no process.
#
# What a child writes to is copied page by page, which is most of what it costs: so zygote and child do little, and as
# much as possible once, before the first fork.
#
# On a child's channel a frame is its length (4 bytes, little-endian), a kind, and its bytes. To the child: h an order of
# the host, s a request of the other side, r the reply to a request of this one. From it: r a reply, a a request, m a mark.
def zygote():
    import _socket, _thread, ctypes, gc, json, marshal, os, resource, sys, time, types

    DETACH, KILL = 2, 9
    RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT, NOATIME, BIND, REC = 1, 2, 4, 8, 32, 1024, 4096, 16384
    SET_DUMPABLE, SET_SECCOMP, FILTER, SET_NO_NEW_PRIVS, GET_TID_ADDRESS = 4, 22, 2, 38, 40
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

    def compiled(source):
        """Compiles in a process of its own: what a compiler leaves of memory would be copied for each child."""
        r, w = os.pipe()
        if os.fork() == 0:
            try:
                with open(w, "wb") as f:
                    marshal.dump(compile(source, "<harness>", "exec"), f)
            finally:
                os._exit(0)
        os.close(w)
        with open(r, "rb") as f:
            code = marshal.loads(f.read())
        os.wait()
        return code

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

    leave, read, write, setsid, closerange, setrlimit = os._exit, os.read, os.write, os.setsid, os.closerange, resource.setrlimit

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

    def child(limits):
        setsid()
        closerange(5, most)
        for what, n in zip(limited, limits):
            setrlimit(what, n)
        done(capset(header, nothing))
        for seed in seeds:
            seed()
        turn()

    # ---- the parent ----

    control = _socket.socket(fileno=os.dup2(3, 20, inheritable=False))
    os.closerange(3, 20)
    os.closerange(21, resource.getrlimit(resource.RLIMIT_NOFILE)[0])  # what the host's own parent left open

    first = json.loads(control.recv(1 << 18))
    stamps, folders, options = {}, [f.encode() for f in first["folders"]], first["tmpfs"].encode()
    kept = [(source.encode(), at.encode()) for source, at in first["kept"]]
    os.chdir("/")
    for folder in folders:
        fresh(folder)
    os.chdir(folders[0])
    for device in first["devices"]:  # or the owner may change their modes; for root those of the machine's own
        done(libc.mount(None, device.encode(), None, BIND | REMOUNT | RDONLY | NOSUID | NOEXEC, None))

    os.environ.pop("LD_BIND_NOW")
    sys.path[:] = [p for p in sys.path if p]
    sys.argv[:] = [""]
    m = types.ModuleType("_harness")
    m.ask, m.mark, m.run = ask, mark, lambda code, space: exec(code, space)
    exec(compiled(first["source"]), m.__dict__)
    begin, serve = m.begin, m.serve
    for name in first["preload"]:
        __import__(name)
    compile("", "", "exec")  # the first one makes what all need
    limited = [resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_CPU]
    seeds = [sys.modules[name].seed for name in ("random", "numpy.random") if name in sys.modules]

    for part in first["limits"].split():
        what, n = part.split("=")
        resource.setrlimit(getattr(resource, "RLIMIT_" + what), (int(n), int(n)))
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    done(libc.prctl(SET_DUMPABLE, 0, 0, 0, 0))
    done(libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0))

    # struct sock_fprog, and capset's arguments: version 3, this process, no capability.
    class Program(ctypes.Structure):
        _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_char_p)]

    code = bytes.fromhex(first["filter"])
    program = Program(len(code) // 8, code)
    done(libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0))
    capset, header, nothing = libc.capset, (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()

    # As the C library's fork, which cannot make a namespace: the address is where it keeps the thread's number.
    address = ctypes.c_void_p()
    done(libc.prctl(GET_TID_ADDRESS, ctypes.byref(address), 0, 0, 0))
    if ctypes.c_int.from_address(address.value).value != _thread.get_native_id():
        raise OSError("the C library is not glibc")
    clone = *first["clone"], 0, 0, address, address  # the last two are swapped on some machines, and one is not used
    del code, program
    recvmsg, recv, stat, kill, wait4, openfile, RDWR = control.recvmsg, control.recv, os.stat, os.kill, os.wait4, os.open, os.O_RDWR
    nulls = 1 if first["output"] else 3
    room = _socket.CMSG_SPACE(4 * 4)
    del first
    gc.collect()
    gc.freeze()
    control.send(b"ready")
    os.closerange(0, 5)  # so that a child's descriptors arrive under their numbers

    def fork(limits):
        for folder in folders:
            if stat(folder).st_ctime_ns != stamps[folder]:
                fresh(folder)
                os.chdir(folders[0])
        pid = done(libc.syscall(*clone))
        if pid == 0:
            try:
                child(limits)
            finally:
                leave(1)
        return pid

    def end(pid, ms):
        """Waits that long for a child to leave by itself, then kills it."""
        for _ in range(ms):
            if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(0.001)
        else:
            kill(pid, KILL)
        return wait4(pid, 0)

    while True:
        for _ in range(nulls):  # new ones for each child, and the jail's, whose mode cannot be changed
            openfile("/dev/null", RDWR)
        message, _, _, _ = recvmsg(4096, room)  # its descriptors are the next ones
        if not message:
            leave(0)
        kind, seq, *rest = message.split()
        if kind != b"s":
            closerange(0, 5)
            continue  # that one is gone already
        try:
            pid = fork([(int(n), int(n)) for n in rest])
        except OSError as e:
            control.send(b"x %s %s" % (seq, str(e).encode()))
            continue
        finally:
            closerange(0, 5)
        of = ms = None
        while of != seq:
            message = recv(4096)
            if not message:
                leave(0)
            _, of, ms = message.split()
        _, status, usage = end(pid, int(ms))
        control.send(b"e %s %d %d" % (seq, status, usage.ru_maxrss))


zygote()
