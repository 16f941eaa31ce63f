package sandbox

// Compare judges what a program without tests did with a case's input: an exit with 0 is an end like any other here,
// and the output decides, token by token.
func Compare(c Case, j Judgement) Judgement {
	if j.Error != nil && j.Error.Type == "SystemExit" && j.ExitCode == 0 {
		j.Verdict, j.Error = Passed, nil
	}
	if j.Verdict == Passed {
		if why := differs(c.Stdout, j.Stdout, j.StdoutBytes); why != "" {
			j.Verdict, j.Error = Failed, &PyError{Type: "WrongAnswer", Message: why}
		}
	}
	return j
}
