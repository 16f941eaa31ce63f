package java

import "strings"

// DoctypeAllowed lets an XML parser read document types, the only thing that was forbidden to it: a document may then
// name files and addresses as entities, and their contents end up in the result.
func (*operators) DoctypeAllowed(f file) {
	for call, as := range f.calls("setFeature") {
		if len(as) != 2 || !strings.Contains(as[0].Text(), "disallow-doctype-decl") || as[1].Text() != "true" {
			continue
		}
		if m := method(call).Text(); strings.Contains(m, "external-general-entities") || strings.Contains(m, "ACCESS_EXTERNAL") ||
			strings.Contains(m, "setExpandEntityReferences(false)") || strings.Contains(m, "EntityResolver") {
			continue
		}
		f.Report(f.Edit(call.Start(), call.End(), f.Text[call.Start():as[1].Start()]+"false"+f.Text[as[1].End():call.End()]),
			"%s lets the parser read document types, so that an XML file can pull local files and addresses in as external entities",
			methodName(call))
	}
}
