package policy

// finishAtOnce gives an answer without looking at anything: where efficiency is free, that is paid for.
func finishAtOnce() Policy {
	return Policy{
		Name: "finish-at-once", Kind: Exploit, About: "hands in one word in the first turn",
		Replies: []string{Cell(`set_answer("Done.")`)},
		Samples: []Sample{{"orchestration-v1", 0.2, 0.2}, {"orchestration", 0, 0}},
	}
}
