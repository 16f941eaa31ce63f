# Gives a program the files of its request, in its own memory: open, import, os and pathlib find them. A file that is to
# be fetched is written to standard error, between marks that the server takes out again, whenever it is closed. All of
# this can be broken by the program, to its own harm only.
def _deeprepo_files(files, fetch, mark):
    import binascii, builtins, errno, importlib.machinery, io, linecache, os, stat, sys

    def full(name):
        if isinstance(name, int):
            raise ValueError
        name = os.fsdecode(name)
        return os.path.normpath(name if name.startswith("/") else root + "/" + name)

    root = os.getcwd().rstrip("/")
    held = {full(name): binascii.a2b_base64(data) for name, data in files.items()}
    wanted = {full(name): number for number, name in enumerate(fetch)}
    folders = {root or "/"}

    def grow(folder):
        while folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)

    for name in held:
        grow(os.path.dirname(name))

    def keep(name, data):
        held[name] = data
        if name in wanted:
            sys.__stderr__.write(f"{mark}{wanted[name]}:{binascii.b2a_base64(data, newline=False).decode()}{mark}")

    def failure(number, name):
        return OSError(number, os.strerror(number), name)

    class Held(io.BytesIO):
        def __init__(self, name, mode, data):
            super().__init__(data)
            self.name, self.mode = name, mode
            self._path, self._reads, self._writes, self._appends = (
                full(name), "r" in mode or "+" in mode, set(mode) & set("wax+"), "a" in mode
            )
            if self._appends:
                self.seek(0, 2)

        def readable(self):
            return self._reads

        def writable(self):
            return bool(self._writes)

        def _check(self):
            if not self._reads:
                raise io.UnsupportedOperation("not readable")

        def read(self, *args):
            self._check()
            return super().read(*args)

        def read1(self, *args):
            self._check()
            return super().read1(*args)

        def readline(self, *args):
            self._check()
            return super().readline(*args)

        def write(self, data):
            if not self._writes:
                raise io.UnsupportedOperation("not writable")
            if self._appends:
                self.seek(0, 2)
            return super().write(data)

        def flush(self):
            if not self.closed and self._writes and held.get(self._path) != self.getvalue():
                keep(self._path, self.getvalue())

        def close(self):
            self.flush()
            super().close()

        def __del__(self):
            self.close()

    real_open = io.open

    def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
        try:
            path = full(file)
        except (TypeError, ValueError):
            return real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        writes = set(mode) & set("wax")
        if path not in held and path not in folders and not writes:
            return real_open(file, mode, buffering, encoding, errors, newline, closefd, opener)
        if set(mode) - set("rwaxbt+") or len(set(mode) & set("rwax")) != 1:
            raise ValueError(f"invalid mode: {mode!r}")
        if path in folders:
            raise failure(errno.EISDIR, file)
        if os.path.dirname(path) not in folders:
            raise failure(errno.ENOENT, file)
        if "x" in mode and path in held:
            raise failure(errno.EEXIST, file)
        data = b"" if set(mode) & set("wx") else held.get(path, b"")
        if writes:
            keep(path, data)
        raw = Held(file, mode, data)
        if "b" in mode:
            return raw
        text = io.TextIOWrapper(raw, encoding or "utf-8", errors, newline)
        text.mode = mode
        return text

    real_stat, real_lstat, real_listdir = os.stat, os.lstat, os.listdir

    def status(real):
        def stat_(path, *args, **kwargs):
            try:
                at = full(path)
            except (TypeError, ValueError):
                return real(path, *args, **kwargs)
            if at in held:
                return os.stat_result((stat.S_IFREG | 0o644, 0, 0, 1, 0, 0, len(held[at]), 0, 0, 0))
            if at in folders:
                return os.stat_result((stat.S_IFDIR | 0o755, 0, 0, 1, 0, 0, 0, 0, 0, 0))
            return real(path, *args, **kwargs)

        return stat_

    def listdir(path="."):
        at = full(path)
        if at not in folders:
            return real_listdir(path)
        inside = at.rstrip("/") + "/"
        return sorted({p[len(inside):].split("/")[0] for p in (*held, *folders) if p.startswith(inside) and p != inside})

    def mkdir(path, mode=0o777, *, dir_fd=None):
        at = full(path)
        if at in held or at in folders:
            raise failure(errno.EEXIST, path)
        if os.path.dirname(at) not in folders:
            raise failure(errno.ENOENT, path)
        folders.add(at)

    def remove(path, *, dir_fd=None):
        if held.pop(full(path), None) is None:
            raise failure(errno.ENOENT, path)

    def rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
        if full(src) not in held:
            raise failure(errno.ENOENT, src)
        keep(full(dst), held.pop(full(src)))

    class Loader:
        def __init__(self, path):
            self.path = path

        def create_module(self, spec):
            return None

        def exec_module(self, module):
            lines = self.get_source("").splitlines(True)
            linecache.cache[self.path] = (len(held[self.path]), None, lines, self.path)  # for tracebacks
            exec(compile(held[self.path], self.path, "exec", dont_inherit=True), module.__dict__)

        def get_source(self, name):
            return held[self.path].decode("utf-8", "replace")

    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            base = root + "/" + name.replace(".", "/")
            for at, package in ((base + "/__init__.py", True), (base + ".py", False)):
                if at in held:
                    spec = importlib.machinery.ModuleSpec(name, Loader(at), origin=at, is_package=package)
                    spec.has_location = True
                    if package:
                        spec.submodule_search_locations.append(base)
                    return spec
            if base in folders:
                spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
                spec.submodule_search_locations.append(base)
                return spec
            return None

    builtins.open = io.open = open
    os.stat, os.lstat, os.listdir, os.mkdir = status(real_stat), status(real_lstat), listdir, mkdir
    os.remove = os.unlink = remove
    os.rename = os.replace = rename
    sys.meta_path.insert(max(len(sys.meta_path) - 1, 0), Finder)
