# attack: decompress without end
# expect: error ModuleNotFoundError|MemoryError
import zlib
zlib.decompress(zlib.compress(b"0" * 10**9))
