package golang

import "strings"

// BuilderIgnored throws the results of a strings.Builder away in so many words: its error is always nil.
func (*operators) BuilderIgnored(s *source) {
	for _, n := range s.kinds["expression_statement"] {
		call := n.NamedChild(0)
		x, name := method(call)
		if name != "WriteString" || x.Kind() != "identifier" || n.EndLine()-n.Line() > 3 {
			continue
		}
		for spec := range function(n).ChildByField("body").Find("var_spec") {
			local, kind, _ := strings.Cut(spec.ChildByField("type").Text(), ".")
			if t := s.imports[local] + "." + kind; t != "strings.Builder" && t != "bytes.Buffer" || !spec.Mentions(x.Text()) ||
				spec.Start() > n.Start() {
				continue
			}
			s.Report(s.Replace(n, "_, _ = "+n.Text()),
				"%s ignores what %s.WriteString returns, whose error is documented to be nil always.", nameOf(function(n)), x.Text())
			break
		}
	}
}
