# attack: an exception whose class breaks the report
# expect: error Evil
class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError("no " + name)
class Evil(Exception):
    def __str__(self):
        raise SystemExit("x")
    def __getattribute__(self, name):
        raise ValueError(name)
raise Evil
