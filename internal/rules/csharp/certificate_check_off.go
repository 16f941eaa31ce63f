package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var anyCertificate = regexp.MustCompile(`^(delegate\b.*|(static )?\([^()]*(\([^()]*\))?[^()]*\)\s*=>\s*)(true|` +
	`\{\s*return true;\s*\})$|DangerousAcceptAnyServerCertificateValidator$`)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	for _, a := range p.Nodes("assignment_expression") {
		left := a.ChildByField("left").Text()
		if (strings.HasSuffix(left, "ServerCertificateValidationCallback") ||
			strings.HasSuffix(left, "ServerCertificateCustomValidationCallback")) &&
			anyCertificate.MatchString(strings.TrimSpace(a.ChildByField("right").Text())) &&
			!a.Enclosing("if_statement", "conditional_expression").Valid() {
			p.Report(a, "")
		}
	}
}
