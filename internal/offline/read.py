# Put every line of every file in front of a worker, in one batch of packed prompts.
limit = max(1000, metadata["worker_max_chars"] - 200)  # of one prompt: a longer file is split
# Several files share a prompt up to here: models, so that there is work for everybody; static rules, so that they see files that
# belong together.
full = min(limit, 1_500_000 if metadata["worker_rules"] else 48_000)
QUESTION = "Review these files. Report their real defects.\n\n"


def pieces(path):
    """The file as sections of whole lines, each short enough for a prompt."""
    text = codebase[path]
    if len(text) < limit - len(path) - 80:
        total = text.count("\n") + (not text.endswith("\n"))
        yield path, 1, total, total, text
        return
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # splitlines would also split at form feeds
    start = size = 0
    for i, line in enumerate(lines):
        if size and size + len(line) > limit - len(path) - 80:
            yield path, start + 1, i, len(lines), "".join(lines[start:i])
            start, size = i, 0
        size += len(line)
    yield path, start + 1, len(lines), len(lines), "".join(lines[start:])


def section(piece):
    """The text of a piece behind its header."""
    name, first, last, total, text = piece
    shown = name if name.isprintable() and not name.startswith('"') else json.dumps(name)
    return f"=== FILE: {shown} (lines {first}-{last} of {total}) ===\n{text}" + ("" if text.endswith("\n") else "\n")


def packed(paths):
    """Prompts that hold as many sections as fit, each with the files that it holds whole. Files of one directory stay together."""
    part, names, size = [], set(), 0
    for path in paths:
        split = list(pieces(path))
        for piece in split:
            body = section(piece)
            if part and size + len(body) > full:
                yield QUESTION + "".join(part) + "=== END ===", names
                part, names, size = [], set(), 0
            part.append(body)
            size += len(body)
            if len(split) == 1:
                names.add(path)
    if part:
        yield QUESTION + "".join(part) + "=== END ===", names


def pack(paths):
    """The prompts alone."""
    return [prompt for prompt, _ in packed(paths)]


def crossing(held):
    """Prompts with the files of paths that lead from one file into another, where no prompt holds them all."""
    prompts, told, bodies = [], [], {}

    def flush():
        if bodies:
            ways = "An untrusted value may go this way:\n" + "\n".join(told) + "\n\n"
            prompts.append(QUESTION + ways + "".join(bodies.values()) + "=== END ===")

    for flow in flows():
        files = flow["files"]
        if len(files) < 2 or any(names.issuperset(files) for names in held):
            continue
        split = {path: list(pieces(path)) for path in files}
        if any(len(p) > 1 for p in split.values()):
            continue
        new = {path: section(p[0]) for path, p in split.items() if path not in bodies}
        size = sum(map(len, bodies.values()))
        if new and bodies and size + sum(map(len, new.values())) > full:
            flush()
            told, bodies = [], {}
            new = {path: section(p[0]) for path, p in split.items()}
        if not metadata["worker_rules"] and sum(map(len, new.values())) > full:
            continue
        bodies.update(new)
        told.append("; ".join(f"{s['file']}:{s['line']}" for s in flow["path"]) + f" ({flow['kind']})")
    flush()
    return prompts


prompts, held = [], []
for prompt, names in packed(codebase):
    prompts.append(prompt)
    held.append(names)
if len(prompts) > 1:  # one holds all
    prompts += crossing(held)
replies = llm_batch(prompts)
failed = [p for p, r in zip(prompts, replies) if r.startswith("[dispatch failed]")]
print(f"{len(prompts)} prompts over {len(codebase)} files, {len(failed)} failed, coverage {coverage()['fraction']:.0%}")
for r in [r for r in replies if r.startswith("[dispatch failed]")][:3]:
    print(r[:300])
