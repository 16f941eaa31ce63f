package typescript

// ConstantCommand runs a command through a shell that is the same on every call: nothing from outside gets into it.
func (*operators) ConstantCommand(f file) {
	for call := range f.Root.Find("call_expression") {
		line, first, ok := commandLine(call)
		if !ok || first != "" {
			continue
		}
		quote := arguments(call)[0].Text()[:1]
		if edits, ok := f.throughShell(call, quote+line+quote); ok {
			f.ReportAll(edits,
				"The command line %q in %s is constant, so there is nothing that a shell could be made to run.", short(line), where(call))
		}
	}
}
