# attack: ask for a reply that does not fit
# expect: error MemoryError
# memory: 64
import _host
_host.call("big", b"")
