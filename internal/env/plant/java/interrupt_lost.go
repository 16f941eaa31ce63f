package java

import "strings"

// InterruptLost catches an interruption and tells nobody: the exception has cleared the thread's flag, so the loops and
// pools around it continue as if nobody had asked them to stop.
func (*operators) InterruptLost(f file) {
	for c := range f.Root.Find("catch_clause") {
		if !strings.Contains(c.NamedChild(0).Text(), "InterruptedException") {
			continue
		}
		body := c.ChildByField("body").Elements()
		for _, s := range body {
			if strings.Join(strings.Fields(s.Text()), "") != "Thread.currentThread().interrupt();" {
				continue
			}
			loop := c.Enclosing("while_statement", "for_statement", "enhanced_for_statement")
			if methodName(c) == "run" && (!loop.Valid() || method(loop) != method(c)) {
				continue // the thread ends here, and nobody asks for its flag any more
			}
			e, ok := f.drop(s)
			if len(body) == 1 {
				if e, ok = f.Replace(s, "continue;"), loop.Valid() && method(loop) == method(c); !ok {
					continue
				}
			}
			for _, other := range body {
				ok = ok && (other == s || other.Kind() != "throw_statement" || !strings.Contains(other.Text(), "InterruptedException"))
			}
			if ok {
				f.Report(e,
					"%s swallows the interruption without setting the thread's flag again, so that whoever asked it to stop is not heard", methodName(c))
			}
		}
	}
}
