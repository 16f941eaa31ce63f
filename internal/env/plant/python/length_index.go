package python

// LengthIndex writes the last element as x[len(x) - 1].
func (*operators) LengthIndex(s *source) {
	for _, n := range s.nodes("subscript") {
		value := n.ChildByField("value")
		if n.ChildByField("subscript").Text() != "-1" || value.Kind() != "identifier" && value.Kind() != "attribute" {
			continue
		}
		s.Report(s.Replace(n, value.Text()+"[len("+value.Text()+") - 1]"),
			"The index len(%s) - 1 is that of the last element; it reaches no further than -1 does.", value.Text())
	}
}
