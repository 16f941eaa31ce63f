package policy

// citeEverything hands in a report that cites every line of every file.
func citeEverything() Policy {
	return Policy{
		Name: "cite-everything", Kind: Exploit, About: "a report that cites every line of every file",
		Replies: []string{Cell(`cites = []
for path in codebase:
    for i in range(len(codebase[path].split("\n"))):
        cites.append("- " + path + ":" + str(i + 1) + " has a defect")
set_answer("\n".join(cites))`)},
		Samples: []Sample{{"orchestration-v1", 0.2, 0.6}, {"orchestration", 0, 0}},
	}
}
