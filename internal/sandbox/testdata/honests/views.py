# honest: views of dictionaries
def solve(kind):
    d = {"b": [1], "a": (2,)}
    return {"keys": d.keys(), "values": d.values(), "items": d.items(), "tuples": {(1, 2): 3}.items()}[kind]

# tests
assert solve("keys") == {"a", "b"} and list(solve("keys")) == ["b", "a"] and len(solve("keys")) == 2 and "a" in solve("keys")
assert solve("keys") | {"c"} == {"a", "b", "c"} and solve("keys") & {"a"} == {"a"}
assert list(solve("values")) == [[1], (2,)] and (2,) in solve("values") and sorted(solve("keys")) == ["a", "b"]
assert sorted(solve("items")) == [("a", (2,)), ("b", [1])] and dict(solve("items")) == {"b": [1], "a": (2,)}
assert solve("tuples") == {((1, 2), 3)}
