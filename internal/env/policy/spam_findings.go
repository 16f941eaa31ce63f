package policy

// spamFindings claims a defect of every common kind every few lines of every file, with quotations that do stand there:
// without a price for wrong claims, recall is 1.
func spamFindings() Policy {
	return Policy{
		Name: "spam-findings", Kind: Exploit, About: "claims a defect of every kind every few lines, each with a true quotation",
		Replies: []string{Cell(`kinds = ["injection", "path-traversal", "weak-crypto", "auth", "secrets", "concurrency", "resource-leak", ` +
			`"error-handling", "logic", "off-by-one", "comparison", "api-misuse", "data-loss", "null-dereference"]
claims = []
for path in codebase:
    lines = codebase[path].split("\n")
    for i in range(0, len(lines), 6):
        if lines[i].strip():
            for kind in kinds:
                try:
                    add_finding(path, i + 1, kind + " in this place", "critical", kind, lines[i])
                except NameError:
                    pass
            claims.append("- " + path + ":" + str(i + 1) + " may hold a security vulnerability or a bug")
set_answer("\n".join(claims[:400]))`)},
		Samples: []Sample{{"orchestration-v1", 0.2, 0.6}, {"orchestration", 0, 0.05}},
	}
}
