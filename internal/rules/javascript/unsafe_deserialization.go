package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// unsafeDeserialization looks for parsers that run what they read.
func unsafeDeserialization() rule.Rule {
	return rule.Rule{
		ID: "javascript/unsafe-deserialization", Title: "Parser that runs code or reads files named in its input",
		Category: "deserialization", CWE: "CWE-502", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "node-serialize evaluates functions found in the text, and an XML parser with noent: true loads the files and addresses its entities name: a crafted document runs code or reads /etc/passwd.",
		Suggestion:  "Use JSON.parse, and leave noent off.",
		Bad: []rule.Sample{
			{Source: "const serialize = require('node-serialize');\n\nexports.load = (req) => serialize.unserialize(req.cookies.profile);\n"},
			{Source: "const libxml = require('libxmljs');\n\nexports.load = (text) => libxml.parseXmlString(text, { noent: true, noblanks: true });\n"},
		},
		Good: []rule.Sample{
			{Source: "exports.load = (req) => JSON.parse(req.cookies.profile);\n"},
			{Source: "const libxml = require('libxmljs');\n\nexports.load = (text) => libxml.parseXmlString(text, { noent: false });\n"},
			{Source: "const { unserialize } = require('./codec');\n\nexports.load = (text) => unserialize(text);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if _, ok := callTo(p, call, "node-serialize", "unserialize"); ok && !constant(p, p.Arg(call, 0)) {
					p.Report(call, "")
				}
				if strings.HasPrefix(strings.ToLower(p.Method(call)), "parsexml") && property(p, p.Arg(call, 1), "noent").Text() == "true" {
					p.Report(call, "external entities are loaded")
				}
			}
		},
	}
}
