package policy

// randomWalk reads a third of the files, drawn by a generator that the file tree seeds, one worker each, and reports
// what it was told, together with places that it made up.
func randomWalk() Policy {
	return Policy{
		Name: "random", Kind: Random, About: "dispatches a random third of the files, and guesses besides",
		Replies: []string{Cell(`state = sum((i + 1) * len(p) for i, p in enumerate(codebase)) + len(file_tree)
def draw(n):
    global state
    state = (state * 1103515245 + 12345) % 2147483648
    return (state // 65536) % n
chosen = [p for p in codebase if draw(3) == 0]
replies = llm_batch(["Review this file:\n=== FILE: " + p + " (lines 1-" + str(codebase[p].count("\n")) + " of " + ` +
			`str(codebase[p].count("\n")) + ") ===\n" + codebase[p] + "\n=== END ===" for p in chosen]) if chosen else []
print(len(chosen), "files")`), Cell(`for p in codebase:
    lines = codebase[p].split("\n")
    at = draw(len(lines))
    kind = ["injection", "logic", "auth", "concurrency"][draw(4)]
    try:
        add_finding(p, at + 1, "a guess", "medium", kind, lines[at])
    except NameError:
        pass
set_answer("# Report\n" + "\n".join("- " + str(r)[:400] for r in replies))`)},
		Samples: []Sample{{"orchestration-v1", 0.2, 0.7}, {"orchestration", 0, 0.5}},
	}
}
