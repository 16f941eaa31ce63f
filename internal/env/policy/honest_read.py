# Every file alone before a worker: short prompts are read best. Long files are split at blank lines.
def pieces(path, limit=7000):
    lines = codebase[path].split("\n")
    start, size = 0, 0
    for i, line in enumerate(lines):
        if size > limit and not line.strip() or size > 2 * limit:
            yield start, i
            start, size = max(0, i - 6), 0
        size += len(line) + 1
    if start < len(lines):
        yield start, len(lines)


def section(path, first=0, last=None):
    lines = codebase[path].split("\n")
    last = len(lines) if last is None else last
    return "=== FILE: " + path + " (lines " + str(first + 1) + "-" + str(last) + " of " + str(len(lines)) + ") ===\n" \
+ "\n".join(lines[first:last]) + "\n"


ask = "Review this code. Report its real defects, each with file, line and the exact line as evidence.\n"
prompts = [ask + section(p, a, b) + "=== END ===" for p in codebase for a, b in pieces(p)]
replies = llm_batch(prompts)
print(len(prompts), "prompts over", len(codebase), "files")
