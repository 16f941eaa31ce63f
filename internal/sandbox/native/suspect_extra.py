

def special(t, v, kind, plain_special=special):
    # A number of numpy's is the number that it holds, as one of a subclass of int is.
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(kind, numpy.generic):
        plain = v.item()
        if type(plain) is not kind:
            return t.enc(plain)
    return plain_special(t, v, kind)
