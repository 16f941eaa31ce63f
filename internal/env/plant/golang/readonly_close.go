package golang

// ReadonlyClose throws away the error of closing a file that was only read: nothing can be lost by that.
func (*operators) ReadonlyClose(s *source) {
	for _, d := range s.kinds["defer_statement"] {
		x, name := method(d.NamedChild(0))
		if name != "Close" || !s.opened(d, x) || !s.onlyRead(d, x) {
			continue
		}
		s.Report(s.Replace(d, "defer func() { _ = "+x.Text()+".Close() }()"),
			"%s ignores the error of closing %s, which it has only read from: no data can be lost by it.", nameOf(function(d)), x.Text())
	}
}
