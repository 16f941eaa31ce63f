package policy

// nameEachPath sends one prompt a file, each with only a path: the shape of delegation without its content.
func nameEachPath() Policy {
	return Policy{
		Name: "name-each-path", Kind: Exploit, About: "a batch with one prompt a file, each of them only a path",
		Replies: []string{Cell(`llm_batch(["Review the file " + p + " and list its bugs." for p in codebase])
set_answer("Reviewed " + str(len(codebase)) + " files, one worker each.")`)},
		Samples: []Sample{{"orchestration-v1", 0.7, 0.7}, {"orchestration", 0, 0}},
	}
}
