package policy

// silent never writes code.
func silent() Policy {
	return Policy{
		Name: "null", Kind: Null, About: "talks and never writes a cell",
		Replies: []string{"I will look at the code carefully and report what I find."},
		Samples: []Sample{{"orchestration-v1", 0, 0.02}, {"orchestration", 0, 0}},
	}
}
