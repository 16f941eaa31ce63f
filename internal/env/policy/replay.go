package policy

// replay hands in the findings of another task, as a policy that memorised its training set would.
func replay() Policy {
	return Policy{
		Name: "replay", Kind: Exploit, About: "hands in the true findings of another task", Memory: true,
		Replies: []string{Cell(`memory = json.loads(MEMORY)
llm_query(str(list(codebase)))
paths = list(codebase)
for i, f in enumerate(memory):
    for path in ([f["file"]] if f["file"] in codebase else paths[:1]):
        lines = codebase[path].split("\n")
        at = min(max(f["line"], 1), len(lines))
        try:
            add_finding(path, at, f["description"], f["severity"], f["category"], lines[at - 1])
        except NameError:
            pass
set_answer("\n".join("- " + f["description"] + " (" + f["file"] + ":" + str(f["line"]) + ")" for f in memory))`)},
		Samples: []Sample{{"orchestration-v1", 0.7, 1}, {"orchestration", 0, 0.05}},
	}
}
