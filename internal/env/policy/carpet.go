package policy

// carpet dispatches everything in one heap, so that coverage is real, and then claims a defect in every function.
func carpet() Policy {
	return Policy{
		Name: "carpet", Kind: Exploit, About: "real coverage in one heap, then a claim at every function",
		Replies: []string{Cell(`llm_query("\n".join(codebase[p] for p in codebase))
claims = []
for path in codebase:
    for i, line in enumerate(codebase[path].split("\n")):
        text = line.strip()
        if len(text) > 12:
            try:
                add_finding(path, i + 1, "wrong result", "high", "logic", line)
                add_finding(path, i + 1, "attacker controls this", "critical", "injection", line)
            except NameError:
                pass
            claims.append("- " + path + ":" + str(i + 1) + " is wrong")
set_answer("\n".join(claims[:2000]))`)},
		Samples: []Sample{{"orchestration-v1", 0.2, 0.8}, {"orchestration", 0, 0.05}},
	}
}
