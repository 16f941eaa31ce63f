# Put every line of every file in front of a worker, in one batch of packed prompts.
limit = max(1000, metadata["worker_max_chars"] - 200)  # of one prompt: a longer file is split
full = min(limit, 48_000)  # several files share a prompt up to here, so that there is work for everybody
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


def pack(paths):
    """Prompts that hold as many sections as fit. Files of one directory stay together."""
    prompts, part, size = [], [], 0
    for path in paths:
        for name, first, last, total, text in pieces(path):
            shown = name if name.isprintable() and not name.startswith('"') else json.dumps(name)
            body = f"=== FILE: {shown} (lines {first}-{last} of {total}) ===\n{text}"
            if not body.endswith("\n"):
                body += "\n"
            if part and size + len(body) > full:
                prompts.append(QUESTION + "".join(part) + "=== END ===")
                part, size = [], 0
            part.append(body)
            size += len(body)
    if part:
        prompts.append(QUESTION + "".join(part) + "=== END ===")
    return prompts


prompts = pack(codebase)
replies = llm_batch(prompts)
failed = [p for p, r in zip(prompts, replies) if r.startswith("[dispatch failed]")]
print(f"{len(prompts)} prompts over {len(codebase)} files, {len(failed)} failed, coverage {coverage()['fraction']:.0%}")
for r in [r for r in replies if r.startswith("[dispatch failed]")][:3]:
    print(r[:300])
