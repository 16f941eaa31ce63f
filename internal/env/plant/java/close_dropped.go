package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var harmlessOpen = regexp.MustCompile(`ByteArray|String(Reader|Writer)|ResultSet|Statement|Scanner`)

// CloseDropped takes what a try statement opened out of its care: nothing closes it any more.
func (*operators) CloseDropped(f file) {
	for try := range f.Root.Find("try_with_resources_statement") {
		resources := try.ChildByField("resources").Elements()
		if len(resources) != 1 || !resources[0].ChildByField("value").Valid() || harmlessOpen.MatchString(resources[0].Text()) {
			continue
		}
		r := resources[0]
		name := r.ChildByField("name").Text()
		edits := unguarded(f, try, strings.TrimSuffix(r.Text(), ";")+";", name)
		if edits == nil {
			continue
		}
		f.ReportAll(edits, "%s never closes %s: each call leaves %s open", methodName(try), name, short(r.ChildByField("value").Text()))
	}
}

// unguarded turns a try statement with one resource into a declaration with the work behind it; nil where that cannot be
// done line by line.
func unguarded(f file, try syntax.Node, declaration, name string) []plant.Edit {
	body, m := try.ChildByField("body"), method(try)
	outer := f.Indent(try.Start())
	for s := range try.NamedChildren() {
		if s.Kind() == "catch_clause" || s.Kind() == "finally_clause" {
			return []plant.Edit{f.Edit(try.Start(), body.Start()+1, "try {\n"+outer+unit(f, try)+declaration)}
		}
	}
	work := body.Elements()
	declared := 0
	for d := range m.Find("variable_declarator", "resource", "formal_parameter", "enhanced_for_statement") {
		if d.ChildByField("name").Text() == name {
			declared++
		}
	}
	if len(work) == 0 || declared != 1 || strings.Contains(body.Text(), `"""`) || try.Parent().Kind() != "block" {
		return nil
	}
	start, end := f.NextLine(body.Start()), f.LineStart(body.End())
	if strings.TrimSpace(f.Text[body.Start()+1:start]) != "" || strings.TrimSpace(f.Text[end:f.NextLine(body.End())]) != "}" {
		return nil
	}
	edits := []plant.Edit{f.Edit(try.Start(), start, declaration+"\n")}
	edits = append(edits, f.dedent(start, end, f.Indent(work[0].Start()), outer)...)
	return append(edits, f.Edit(end, f.NextLine(body.End()), ""))
}

// unit is by how much the file indents what stands in a statement.
func unit(f file, n syntax.Node) string {
	inner, outer := f.Indent(n.Start()), f.Indent(n.Parent().Start())
	if len(inner) > len(outer) && strings.HasPrefix(inner, outer) {
		return inner[len(outer):]
	}
	return "    "
}
