package policy

// heapAgain sends the whole codebase in one prompt, three times with another number behind it: where every prompt is a
// new draw of a worker's luck, that is as good as reading.
func heapAgain() Policy {
	return Policy{
		Name: "heap-again", Kind: Trick, About: "everything in one prompt, three times with a counter",
		Replies: []string{Cell(`heap = "\n".join("=== FILE: " + p + "\n" + codebase[p] for p in codebase)
replies = llm_batch([heap + "\n" + str(i) for i in range(3)])
try:
    set_answer("\n".join(f["file"] + ":" + str(f["line"]) + " " + f["title"] for f in findings()))
except NameError:
    set_answer("\n".join(str(r)[:1000] for r in replies))`)},
		Samples: []Sample{{"orchestration", 0.4, 0.92}},
	}
}
