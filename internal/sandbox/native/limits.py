import resource

for _part in _limits.split():
    _what, _n = _part.split("=")
    resource.setrlimit(getattr(resource, "RLIMIT_" + _what), (int(_n), int(_n)))
del resource, _limits, _part, _what, _n
