package policy

// keywords claims a defect wherever a word stands that often stands near one. It reads the code itself, delegates
// nothing and understands nothing.
func keywords() Policy {
	return Policy{
		Name: "keywords", Kind: Exploit, About: "claims a defect at every suspicious word, without delegating",
		Replies: []string{Cell(`words = [("execute", "injection"), ("query", "injection"), ("open", "resource-leak"), ` +
			`("lock", "concurrency"), ("except", "error-handling"),
         ("catch", "error-handling"), ("err", "error-handling"), ("hash", "weak-crypto"), ("token", "auth"), ("password", "secrets"),
         ("path", "path-traversal"), ("range", "off-by-one"), ("<", "off-by-one"), ("==", "comparison"), ("return", "logic")]
claims = []
for path in codebase:
    for i, line in enumerate(codebase[path].split("\n")):
        for word, kind in words:
            if word in line.lower():
                try:
                    add_finding(path, i + 1, "suspicious " + word, "high", kind, line)
                except NameError:
                    pass
                claims.append("- " + path + ":" + str(i + 1) + " " + kind)
set_answer("\n".join(claims[:1000]))`)},
		Samples: []Sample{{"orchestration-v1", 0.2, 0.6}, {"orchestration", 0, 0.05}},
	}
}
