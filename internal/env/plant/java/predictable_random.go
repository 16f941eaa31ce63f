package java

// PredictableRandom draws secrets from java.util.Random, whose next values anybody can compute who saw a few.
func (*operators) PredictableRandom(f file) {
declarations:
	for d := range f.Root.Find("field_declaration", "local_variable_declaration") {
		v := d.ChildByField("declarator")
		value, t, name := v.ChildByField("value"), d.ChildByField("type"), v.ChildByField("name").Text()
		if value.Kind() != "object_creation_expression" || value.ChildByField("type").Text() != "SecureRandom" || len(args(value)) > 0 ||
			t.Text() != "SecureRandom" && t.Text() != "var" {
			continue
		}
		for id := range class(d).Find("identifier") {
			if up := id.Parent(); id.Text() == name && up != v && (up.Kind() != "method_invocation" || id.Field() != "object") {
				continue declarations // handed to something that may want a SecureRandom
			}
		}
		imports, ok := f.importing("java.util.Random")
		if !ok {
			continue
		}
		declared := t.Text()
		if declared != "var" {
			declared = "Random"
		}
		f.ReportAll(f.Edit(t.Start(), value.End(), declared+f.Text[t.End():value.Start()]+"new Random()").And(imports...),
			"%s draws %s from java.util.Random, so that whoever saw a few values can compute the next", className(d), name)
	}
}
