# Write the report out of proven findings and the workers' summaries.
found = findings()
replies = globals().get("replies", [])
seen = coverage()
by_dir = collections.defaultdict(lambda: [0, 0, collections.Counter()])
for path in codebase:
    top = path.split("/")[0] if "/" in path else "."
    row = by_dir[top]
    row[0] += 1
    row[1] += codebase[path].count("\n") + (codebase[path][-1:] not in ("", "\n"))
    row[2][path.rsplit(".", 1)[-1] if "." in path.rsplit("/", 1)[-1] else "other"] += 1

doc = ["# Architecture overview", ""]
languages = sorted(metadata["file_types"].items(), key=lambda kv: -kv[1])
doc.append(f"{metadata['total_files']} files, {metadata['total_lines']} lines: "
           + ", ".join(f"{name} {lines}" for name, lines in languages[:8]) + ".")
if metadata["entry_points"]:
    doc.append("Entry points: " + ", ".join(f"`{p}`" for p in metadata["entry_points"][:12]) + ".")
doc += ["", "| part | files | lines | mostly |", "|---|---|---|---|"]
for name, (files, lines, kinds) in sorted(by_dir.items(), key=lambda kv: -kv[1][1])[:20]:
    doc.append(f"| `{name}` | {files} | {lines} | {kinds.most_common(1)[0][0]} |")

summaries = []
for r in replies:
    try:
        text = json.loads(r).get("summary", "")
    except (ValueError, AttributeError):
        continue
    if isinstance(text, str) and text.strip():
        summaries.append(" ".join(text.split()))
if summaries:
    doc += ["", "What the workers say of what they read:", ""]
    doc += ["- " + (s if len(s) <= 400 else s[:400] + " ...") for s in summaries[:12]]
    if len(summaries) > 12:
        doc.append(f"- ... and {len(summaries) - 12} more.")

doc += ["", "# Bugs and issues", ""]
if not found:
    doc.append("No finding could be proven by a quotation from the code.")
for f in found[:40]:
    doc.append(f"- **{f['severity']}** `{f['file']}:{f['line']}` {f['title']}")
if len(found) > 40:
    doc.append(f"- ... and {len(found) - 40} more in the list of findings.")

doc += ["", "# Code quality", ""]
kinds = collections.Counter(f["category"] for f in found)
if kinds:
    doc.append("Findings by category: " + ", ".join(f"{name} {count}" for name, count in kinds.most_common()) + ".")
worst = collections.Counter(f["file"] for f in found).most_common(5)
if worst and worst[0][1] > 1:
    doc.append("Files with most findings: " + ", ".join(f"`{p}` ({count})" for p, count in worst if count > 1) + ".")
doc.append("Largest files: " + ", ".join(f"`{f['path']}` ({f['chars']} characters)" for f in metadata["largest_files"][:5]) + ".")

doc += ["", "# Development plan", ""]
for name, severities, when in (("P0", ("critical", "high"), "now"), ("P1", ("medium",), "soon"), ("P2", ("low", "info"), "later")):
    these = [f for f in found if f["severity"] in severities]
    doc.append(f"**{name}, {when}**: " + ("nothing found." if not these else f"{len(these)} findings."))
    for f in these[:10]:
        fix = " ".join((f["suggestion"] or f["title"]).split())
        doc.append(f"- `{f['file']}:{f['line']}` {fix[:300]}")
    doc.append("")
if seen["uncovered_files"]:
    doc.append(f"{seen['uncovered_files']} files were not seen by any worker; nothing can be said of them.")
set_answer("\n".join(doc))
