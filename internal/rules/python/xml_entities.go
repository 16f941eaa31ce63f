package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func xmlEntities() rule.Rule {
	return rule.Rule{
		ID: "python/xxe", Title: "XML parser that resolves external entities",
		Category: "xxe", CWE: "CWE-611", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "A document can name files of the server or inner addresses as entities and gets their contents put into it.",
		Suggestion:  "Parse with lxml.etree.XMLParser(resolve_entities=False, no_network=True) or with defusedxml.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`from lxml import etree`, `parser = etree.XMLParser(resolve_entities=True)`),
			code(`import xml.sax`, `from xml.sax.handler import feature_external_ges`, `def read(r):`, `    r.setFeature(feature_external_ges, True)`),
			code(`from lxml import etree`, `from flask import request`, `def load():`, `    return etree.fromstring(request.data)`),
			code(`from lxml import etree`, `parser = etree.XMLParser(no_network=False, load_dtd=True)`),
		},
		Good: []rule.Sample{
			code(`from lxml import etree`, `parser = etree.XMLParser(resolve_entities=False)`),
			code(`from defusedxml.ElementTree import fromstring`, `from flask import request`, `def load():`, `    return fromstring(request.data)`),
			code(`from lxml import etree`, `def load(path):`, `    return etree.parse(path)`),
			code(`import xml.etree.ElementTree as etree`, `from flask import request`, `def load():`, `    return etree.fromstring(request.data)`),
		},
		Check: func(p *rule.Pass) {
			parse := regexp.MustCompile(`^lxml\.etree\.(fromstring|XML|parse)$`)
			flow := inputFlow(p)
			for _, call := range p.Calls() {
				name := callee(p, call)
				switch {
				case name == "lxml.etree.XMLParser":
					if p.Keyword(call, "resolve_entities").Text() == "True" || p.Keyword(call, "no_network").Text() == "False" {
						p.Report(call, "")
					}
				case parse.MatchString(name):
					if len(p.Args(call)) == 1 && !p.Keyword(call, "parser").Valid() && flow.Tainted(p.Arg(call, 0)) {
						p.ReportAs(call, "medium", "the document comes from a request; lxml before 5.0 resolves entities by default")
					}
				case rule.LastName(name) == "setFeature":
					if rule.LastName(p.Arg(call, 0).Text()) == "feature_external_ges" && p.Arg(call, 1).Text() == "True" {
						p.Report(call, "")
					}
				}
			}
		},
	}
}
