package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) XXE(p *rule.Pass) {
	parsers := map[string][]string{
		"DocumentBuilderFactory.newInstance": {"parse"}, "SAXParserFactory.newInstance": {"parse"},
		"XMLInputFactory.newInstance":      {"createXMLStreamReader", "createXMLEventReader"},
		"XMLInputFactory.newFactory":       {"createXMLStreamReader", "createXMLEventReader"},
		"XMLReaderFactory.createXMLReader": {"parse"}, "SAXReader": {"read"}, "SAXBuilder": {"build"},
	}
	for _, n := range slices.Concat(p.Calls(), p.News()) {
		reads, ok := parsers[callee(p, n)]
		method := outermost(p, n)
		if !ok || !method.Valid() || xxeHardened.MatchString(p.Class(n).Text()) {
			continue
		}
		for c := range method.Find("method_invocation") {
			source := p.Arg(c, 0)
			if c.Start() <= n.Start() && c.End() >= n.End() || c.Start() > n.End() {
				if slices.Contains(reads, p.Method(c)) && source.Valid() && foreign(p, source) {
					p.Report(n, "")
					break
				}
			}
		}
	}
}

var xxeHardened = regexp.MustCompile(`setFeature\s*\(|setProperty\s*\(|setAttribute\s*\(|setEntityResolver|` +
	`setXMLResolver|setExpandEntityReferences\s*\(\s*false|SUPPORT_DTD|disallow-doctype|FEATURE_SECURE_PROCESSING|EntityResolver`)

// foreign tells whether the XML comes through a parameter, a request or a network stream, not from the program's own files.
func foreign(p *rule.Pass, n rule.Node) bool {
	if p.Untrusted(n) {
		return true
	}
	method := outermost(p, n)
	var params []string
	for _, prm := range p.Parameters(method) {
		if t := prm.ChildByField("type").Text(); rule.OneOf(t, "InputStream", "Reader", "InputSource", "String", "byte[]", "Source",
			"StreamSource") {
			params = append(params, prm.ChildByField("name").Text())
		}
	}
	source := value(p, n)
	return strings.Contains(source.Text(), "getInputStream()") ||
		slices.ContainsFunc(p.Names(source), func(name string) bool { return slices.Contains(params, name) })
}
