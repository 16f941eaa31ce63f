package java

// ObjectFilterDropped reads objects of any class out of a stream: building them runs code of those classes, which is
// enough to run anything for anybody who writes the stream.
func (*operators) ObjectFilterDropped(f file) {
	for s := range f.Root.Find("expression_statement") {
		call := s.NamedChild(0)
		if called(call) != "setObjectInputFilter" || !s.NextElement().Valid() {
			continue
		}
		if e, ok := f.drop(s); ok {
			f.Report(e,
				"%s reads objects from %s without a filter of classes, so that a prepared file can run code", methodName(s), receiver(call).Text())
		}
	}
}
