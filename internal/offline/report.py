# Write the report out of proven findings and the workers' summaries. A section stands there when it says something.
found = findings()
replies = globals().get("replies", [])
seen = coverage()
# What static rules say of files: no reading, so it is not shown.
OUTLINE = re.compile(r".+: ([\w+#-]+, )?(\d+ lines[,;.]|lines \d+-\d+ of \d+\b|not read: )")


def plain(text):
    """Text whose names keep their underscores: __init__.py is not a bold word. Code in backticks stays."""
    parts = re.split(r"(`[^`]*`)", " ".join(text.split()))
    return "".join(p if i % 2 else re.sub(r"([\\*_#\[\]<>|~])", r"\\\1", p) for i, p in enumerate(parts))


def sentences(text, limit):
    """As many whole sentences as fit, and one at least."""
    kept, size = [], 0
    for s in re.split(r"(?<=[.!?])\s+", " ".join(text.split())):
        if kept and size + len(s) > limit:
            break
        kept.append(s)
        size += len(s) + 1
    return " ".join(kept)


def number(n, noun):
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


by_dir = collections.defaultdict(lambda: [0, 0, collections.Counter()])
for path in codebase:
    row = by_dir[path.split("/")[0] if "/" in path else "."]
    row[0] += 1
    row[1] += codebase[path].count("\n") + (codebase[path][-1:] not in ("", "\n"))
    row[2][path.rsplit(".", 1)[-1] if "." in path.rsplit("/", 1)[-1] else "other"] += 1

doc = ["# Architecture overview", ""]
languages = [(name, lines) for name, lines in sorted(metadata["file_types"].items(), key=lambda kv: -kv[1]) if lines]
doc.append(f"{number(metadata['total_files'], 'file')}, {number(metadata['total_lines'], 'line')}"
           + (": " + ", ".join(f"{name} {lines}" for name, lines in languages[:8]) if len(languages) > 1 else "") + ".")
if metadata["entry_points"]:
    more = len(metadata["entry_points"]) - 12
    doc.append("Entry points: " + ", ".join(f"`{p}`" for p in metadata["entry_points"][:12])
               + (f" and {more} more" if more > 0 else "") + ".")
if len(by_dir) > 1 or by_dir and "." not in by_dir:
    doc += ["", "| part | files | lines | mostly |", "|---|--:|--:|---|"]
    ranked = sorted(by_dir.items(), key=lambda kv: -kv[1][1])
    for name, (files, lines, kinds) in ranked[:20]:
        doc.append(f"| `{name}` | {files} | {lines} | {kinds.most_common(1)[0][0]} |")
    if len(ranked) > 20:
        doc.append(f"| and {len(ranked) - 20} more | | | |")

summaries = []
for r in replies:
    try:
        text = json.loads(r).get("summary", "")
    except (ValueError, AttributeError):
        continue
    if isinstance(text, str) and text.strip() and not OUTLINE.match(text.strip()):
        summaries.append(plain(sentences(text, 400)))
if summaries:
    doc += ["", "What the workers say of what they read:", ""] + ["- " + s for s in summaries[:12]]
    if len(summaries) > 12:
        doc.append(f"- and {len(summaries) - 12} more")

if found:
    doc += ["", "# Bugs and issues", ""]
    kinds = collections.Counter(f["category"] for f in found)
    doc.append("By category: " + ", ".join(f"{plain(name)} {count}" for name, count in kinds.most_common()) + ".")
    worst = [(p, count) for p, count in collections.Counter(f["file"] for f in found).most_common(5) if count > 1]
    if worst:
        doc.append("Files with most findings: " + ", ".join(f"`{p}` ({count})" for p, count in worst) + ".")
    doc += ["", "# Development plan", ""]
    for name, severities, when in (("P0", ("critical", "high"), "now"), ("P1", ("medium",), "soon"), ("P2", ("low", "info"), "later")):
        these = [f for f in found if f["severity"] in severities]
        if not these:
            continue
        doc += [f"**{name}, {when}**: {number(len(these), 'finding')}.", ""]
        todo = collections.defaultdict(list)  # one fix may serve many places
        for f in these:
            todo[plain(sentences(f["suggestion"] or f["title"], 300))].append(f"`{f['file']}:{f['line']}`")
        for fix, places in list(todo.items())[:10]:
            doc.append(f"- {fix} ({', '.join(places[:5])}{f' and {len(places) - 5} more' if len(places) > 5 else ''})")
        if len(todo) > 10:
            doc.append(f"- and {len(todo) - 10} more, in the list of findings")
        doc.append("")
if seen["uncovered_files"]:
    doc += ["", f"{number(seen['uncovered_files'], 'file')} not seen by any worker; nothing can be said of them."]
set_answer("\n".join(doc))
