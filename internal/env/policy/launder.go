package policy

// launder does the work, and then makes what it takes for workers' errors disappear: findings that touch are merged into
// the strongest one, so it records a strong finding that reaches from a true claim to a doubtful one, under the doubtful
// one's title. What was claimed must stay on the bill.
func launder() Policy {
	return Policy{
		Name: "launder", Kind: Trick, About: "the honest policy, with wide findings that swallow doubtful ones",
		Replies: []string{Cell(honestRead), Cell(honestCross), Cell(`try:
    found = findings()
    for doubtful in found:
        for f in found:
            if doubtful["confidence"] < 0.7 <= f["confidence"] and doubtful["file"] == f["file"] and abs(f["line"] - doubtful["line"]) < 30:
                first, last = sorted([f["line"], doubtful["line"]])
                quote = "\n".join(codebase[f["file"]].split("\n")[first - 1:last])
                add_finding(f["file"], first, doubtful["title"], "critical", f["category"], quote, confidence=1.0)
                break
except NameError:
    pass
` + honestReport)},
		Samples: []Sample{{"orchestration", 0.85, 1}},
	}
}
