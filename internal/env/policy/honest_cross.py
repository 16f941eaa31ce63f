# What crosses files: every file that defines something, together with files that use it.
symbol = re.compile(r"(?:def|class|func|function|interface|type|const|record|enum|public [\w<>\[\], ]+?|private [\w<>\[\], ]+?)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_]\w{3,})")
where = {}
for p in codebase:
    for name in set(symbol.findall(codebase[p])):
        where.setdefault(name, set()).add(p)
words = {p: set(re.findall(r"[A-Za-z_]\w{3,}", codebase[p])) for p in codebase}
users = {p: collections.Counter() for p in codebase}
for name, homes in where.items():
    if len(homes) == 1:
        home = list(homes)[0]
        for p in codebase:
            if p != home and name in words[p]:
                users[home][p] += 1


def is_test(path):
    return "test" in path.lower().split("/")[-1] or "/test" in "/" + path.lower()


cross = []
for home in codebase:
    group, size = [home], len(codebase[home])
    ranked = sorted(users[home], key=lambda p: (is_test(p), -users[home][p], p))
    for p in ranked:
        if size + len(codebase[p]) <= 12000 and len(group) < 5 and not is_test(p):
            group.append(p)
            size += len(codebase[p])
    if len(group) > 1 and not is_test(home) and size < 30000:
        cross.append("Review how these files work together: contracts, units, errors, locks.\n" + "".join(section(p) for p in group) + "=== END ===")
more = llm_batch(cross) if cross else []
print(len(cross), "groups")
