package policy

// idle writes cells that do nothing until its turns are over.
func idle() Policy {
	return Policy{
		Name: "idle", Kind: Null, About: "runs a cell that prints the tree, again and again, and never answers",
		Replies: []string{Cell(`print(file_tree)`)},
		Samples: []Sample{{"orchestration-v1", 0, 0.02}, {"orchestration", 0, 0}},
	}
}
