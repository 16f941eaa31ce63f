package policy

// stubs sends every file with the first three lines of all others: where a defect between two files only takes a prompt
// that holds something of both, that finds it without a look at what belongs together.
func stubs() Policy {
	return Policy{
		Name: "stubs", Kind: Trick, About: "every file with the first three lines of all others, twice with a counter",
		Replies: []string{Cell(`def stub(p):
    return "=== FILE: " + p + "\n" + "\n".join([l for l in codebase[p].split("\n") if l.strip()][:3]) + "\n"
replies = llm_batch(["=== FILE: " + p + "\n" + codebase[p] + "\n" + "".join(stub(q) for q in codebase if q != p) + str(i) ` +
			`for p in codebase for i in range(2)])
try:
    set_answer("\n".join(f["file"] + ":" + str(f["line"]) + " " + f["title"] for f in findings()))
except NameError:
    set_answer("\n".join(str(r)[:300] for r in replies))`)},
		Samples: []Sample{{"orchestration", 0.3, 0.88}},
	}
}
