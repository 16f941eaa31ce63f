# What crosses files: every file that defines something, together with files that use it.
symbol = re.compile(r"(?:def|class|func|function|interface|type|const|record|enum|\
public [\w<>\[\], ]+?|private [\w<>\[\], ]+?)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_]\w{3,})")
where = {}
for p in codebase:
    for name in set(symbol.findall(codebase[p])):
        where.setdefault(name, set()).add(p)
words = {p: set(re.findall(r"[A-Za-z_]\w{3,}", codebase[p])) for p in codebase}
uses = {p: {} for p in codebase}  # by home: the names of it that another file uses
for name, homes in where.items():
    if len(homes) == 1:
        home = list(homes)[0]
        for p in codebase:
            if p != home and name in words[p]:
                uses[home].setdefault(p, set()).add(name)
for home in codebase:
    stem = home.split("/")[-1].split(".")[0]
    for p in codebase:
        if p != home and len(stem) > 3 and stem in words[p] and p not in uses[home]:
            uses[home][p] = {stem}


def is_test(path):
    return "test" in path.lower().split("/")[-1] or "/test" in "/" + path.lower()


before, after = (5, 9) if len(codebase) < 20 else (2, 5)  # lines: many files leave less room for each


def excerpts(path, names):
    """The parts of a file around the lines that use the names, as sections."""
    lines = codebase[path].split("\n")
    want = re.compile(r"\b(?:" + "|".join(sorted(names)) + r")\b")
    parts = []
    for i, line in enumerate(lines):
        if want.search(line):
            a, b = max(0, i - before), min(len(lines), i + after)
            if parts and a <= parts[-1][1]:
                parts[-1][1] = b
            else:
                parts.append([a, b])
    if sum(b - a for a, b in parts) > 0.8 * len(lines):
        parts = [[0, len(lines)]]
    return "".join(section(path, a, b) for a, b in parts)


ask = "Review how these files work together: contracts, units, errors, locks, what is checked where.\n"
cross = []
for home in codebase:
    if is_test(home) or len(codebase[home]) > 30000:
        continue
    users = sorted((p for p in uses[home] if not is_test(p)), key=lambda p: (-len(uses[home][p]), p))
    text, count = section(home), 0
    for p in users:
        part = excerpts(p, uses[home][p])
        if count and (count == 5 or len(text) + len(part) > 12000):
            cross.append(ask + text + "=== END ===")
            text, count = section(home), 0
        text += part
        count += 1
    if count:
        cross.append(ask + text + "=== END ===")
limit, total = (3.4 if len(codebase) < 20 else 4.2) * sum(len(codebase[p]) for p in codebase), 0
kept = []
for c in sorted(cross, key=len):
    total += len(c)
    if total <= limit:
        kept.append(c)
more = llm_batch(kept) if kept else []
print(len(kept), "of", len(cross), "groups")
