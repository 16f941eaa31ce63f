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
for home in codebase:
    stem = home.split("/")[-1].split(".")[0]
    for p in codebase:
        if p != home and len(stem) > 3 and stem in words[p]:
            users[home][p] += 3


def is_test(path):
    return "test" in path.lower().split("/")[-1] or "/test" in "/" + path.lower()


cross, most = [], 2.2 * sum(len(codebase[p]) for p in codebase)
ask = "Review how these files work together: contracts, units, errors, locks, what is checked where.\n"
for turn in range(4):
    for home in codebase:
        if is_test(home) or len(codebase[home]) > 24000:
            continue
        ranked = sorted((p for p in users[home] if not is_test(p)), key=lambda p: (-users[home][p], p))
        groups, group, size = [], [home], len(codebase[home])
        for p in ranked:
            if len(group) > 1 and (size + len(codebase[p]) > 10000 or len(group) == 4):
                groups.append(group)
                group, size = [home], len(codebase[home])
            group.append(p)
            size += len(codebase[p])
        groups.append(group)
        if turn < len(groups) and len(groups[turn]) > 1 and sum(len(c) for c in cross) < most:
            cross.append(ask + "".join(section(p) for p in groups[turn]) + "=== END ===")
more = llm_batch(cross) if cross else []
print(len(cross), "groups")
