package python

// StripCharacters takes the characters of a prefix off instead of the prefix.
func (*operators) StripCharacters(s *source) {
	for _, c := range s.nodes("call") {
		instead := map[string]string{"removeprefix": "lstrip", "removesuffix": "rstrip"}[method(c)]
		a := args(c)
		if instead == "" || len(a) != 1 || a[0].Kind() == "string" && len(a[0].Text()) < 4 {
			continue
		}
		name := c.ChildByField("function").ChildByField("attribute")
		s.Report(s.Replace(name, instead),
			"%s uses %s, which takes off any of the characters of %s, not that text: it eats into names that begin or end with them.", where(c),
			instead, short(a[0]))
	}
}
