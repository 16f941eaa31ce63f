package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func externalEntities() rule.Rule {
	hardened := regexp.MustCompile(`setFeature\s*\(|setProperty\s*\(|setAttribute\s*\(|setEntityResolver|setXMLResolver|setExpandEntityReferences\s*\(\s*false|SUPPORT_DTD|disallow-doctype|FEATURE_SECURE_PROCESSING|EntityResolver`)
	parsers := map[string][]string{
		"DocumentBuilderFactory.newInstance": {"parse"}, "SAXParserFactory.newInstance": {"parse"},
		"XMLInputFactory.newInstance": {"createXMLStreamReader", "createXMLEventReader"}, "XMLInputFactory.newFactory": {"createXMLStreamReader", "createXMLEventReader"},
		"XMLReaderFactory.createXMLReader": {"parse"}, "SAXReader": {"read"}, "SAXBuilder": {"build"},
	}
	return rule.Rule{
		ID: "java/xxe", Title: "an XML parser resolves external entities",
		Category: "xxe", CWE: "CWE-611", Severity: "high", Confidence: 0.7,
		Languages: []string{"java"}, InTests: rule.SkipInTests,
		Explanation: "Java's XML parsers load what a document's DTD names unless told not to. A document with <!ENTITY x SYSTEM \"file:///etc/passwd\"> brings local " +
			"files or internal addresses into the result, and nested entities exhaust memory.",
		Suggestion: "factory.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true) before the parser is made; for StAX set XMLInputFactory.SUPPORT_DTD to false.",
		Bad: []rule.Sample{
			{Source: "class Import {\n  Document read(InputStream in) throws Exception {\n    DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();\n    DocumentBuilder b = f.newDocumentBuilder();\n    return b.parse(in);\n  }\n}\n"},
			{Source: "class Import {\n  void read(InputStream in) throws Exception {\n    XMLStreamReader r = XMLInputFactory.newInstance().createXMLStreamReader(in);\n    while (r.hasNext()) r.next();\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Import {\n  Document read(InputStream in) throws Exception {\n    DocumentBuilderFactory f = DocumentBuilderFactory.newInstance();\n    f.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true);\n    return f.newDocumentBuilder().parse(in);\n  }\n}\n"},
			{Source: "class Export {\n  Document make() throws Exception {\n    return DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();\n  }\n}\n"},
			{Source: "class Import {\n  Document read(InputStream in) throws Exception {\n    DocumentBuilder b = DocumentBuilderFactory.newInstance().newDocumentBuilder();\n    b.setEntityResolver((publicId, systemId) -> new InputSource(new StringReader(\"\")));\n    return b.parse(in);\n  }\n}\n"},
			{Source: "class Own {\n  Document read() throws Exception {\n    DocumentBuilder b = DocumentBuilderFactory.newInstance().newDocumentBuilder();\n    return b.parse(Own.class.getResourceAsStream(\"/defaults.xml\"));\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, n := range slices.Concat(p.Calls(), p.News()) {
				reads, ok := parsers[callee(p, n)]
				method := outermost(p, n)
				if !ok || !method.Valid() || hardened.MatchString(p.Class(n).Text()) {
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
		},
	}
}

// foreign tells whether the XML comes through a parameter, a request or a network stream, not from the program's own files.
func foreign(p *rule.Pass, n syntax.Node) bool {
	if input(p).Tainted(n) {
		return true
	}
	method := outermost(p, n)
	var params []string
	for _, prm := range p.Parameters(method) {
		if t := prm.ChildByField("type").Text(); slices.Contains([]string{"InputStream", "Reader", "InputSource", "String", "byte[]", "Source", "StreamSource"}, t) {
			params = append(params, prm.ChildByField("name").Text())
		}
	}
	source := value(p, n)
	for _, name := range p.Names(source) {
		if slices.Contains(params, name) {
			return true
		}
	}
	return strings.Contains(source.Text(), "getInputStream()")
}
