package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// doctypeAllowed lets an XML parser read document types, the only thing that was forbidden to it: a document may then
// name files and addresses as entities, and their contents end up in the result.
func doctypeAllowed() plant.Operator {
	return plant.Operator{
		Name: "java/doctype-allowed", Language: language, Split: env.Train, Category: "xxe", CWE: "CWE-611", Severity: "high", Hint: "disallow-doctype-decl",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if called(call) != "setFeature" || len(as) != 2 || !strings.Contains(as[0].Text(), "disallow-doctype-decl") || as[1].Text() != "true" {
					continue
				}
				if m := method(call).Text(); strings.Contains(m, "external-general-entities") || strings.Contains(m, "ACCESS_EXTERNAL") || strings.Contains(m, "setExpandEntityReferences(false)") || strings.Contains(m, "EntityResolver") {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.edit(call.Start(), call.End(), f.text[call.Start():as[1].Start()]+"false"+f.text[as[1].End():call.End()])},
					Description: fmt.Sprintf("%s lets the parser read document types, so that an XML file can pull local files and addresses in as external entities", methodName(call))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  Document f(InputStream in) throws Exception {\n    var factory = DocumentBuilderFactory.newInstance();\n    factory.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true);\n    return factory.newDocumentBuilder().parse(in);\n  }\n}\n",
				", true)", ", false)"),
			sample("class A{SAXParser f()throws Exception{SAXParserFactory x=SAXParserFactory.newInstance();\nx.setFeature(\n  \"http://apache.org/xml/features/disallow-doctype-decl\",\n  true\n);return x.newSAXParser();}}\n",
				"  true\n", "  false\n"),
		},
		Never: []string{
			"class A {\n  void f(DocumentBuilderFactory x) throws Exception {\n    x.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", false);\n  }\n}\n",
			"class A {\n  void f(DocumentBuilderFactory x) throws Exception {\n    x.setFeature(\"http://apache.org/xml/features/disallow-doctype-decl\", true);\n    x.setFeature(\"http://xml.org/sax/features/external-general-entities\", false);\n  }\n}\n",
		},
	}
}
