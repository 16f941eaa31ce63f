package python

// SwappedArguments hands two arguments over in the wrong order to a function of another file.
func (*operators) SwappedArguments(s *source) {
	for _, c := range indexOf(s.Project).from[s.Path] {
		a := args(c.node)
		for i := 0; i+1 < len(a) && i+1 < len(c.to.params); i++ {
			first, second := a[i], a[i+1]
			// Both are called what the function calls them, so that their order is meant.
			if first.Kind() != "identifier" || second.Kind() != "identifier" || first.Text() != c.to.params[i] || second.Text() != c.to.params[i+1] {
				continue
			}
			s.Report(s.Edit(first.Start(), second.End(), second.Text()+s.Text[first.End():second.Start()]+first.Text()),
				"%s passes %s and %s the wrong way round: %s in %s takes them in the other order.", where(c.node), second.Text(), first.Text(),
				c.to.name, c.to.file)
			break
		}
	}
}
