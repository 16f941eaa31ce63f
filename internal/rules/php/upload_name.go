package php

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UploadName(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("move_uploaded_file", "copy", "rename"), func(call rule.Node) bool {
		target := p.Arg(call, 1)
		if p.Callee(call) != "move_uploaded_file" && !strings.Contains(p.Arg(call, 0).Text(), "tmp_name") {
			return false
		}
		return !p.ScopeHas(call, uploadLooked) && (clientName(p, target) ||
			slices.ContainsFunc(p.Given(p.Scope(call), target.Text()), func(a rule.Assignment) bool {
				return a.Node.End() < call.Start() && clientName(p, a.Value)
			}))
	})
}

// uploadLooked matches functions that look at the extension of what was sent, or at its content.
var uploadLooked = regexp.MustCompile(`(?i)PATHINFO_EXTENSION|pathinfo|\bext\b|extension|mime|getimagesize|finfo|preg_match|` +
	`allowed|sanit|sandbox|strrchr|['"]\.?(jpe?g|png|gif|pdf|csv|zip)\b`)

// clientName tells whether n contains the name of an uploaded file as the client sent it.
func clientName(p *rule.Pass, n rule.Node) bool {
	return rule.Within(n, func(c rule.Node) bool {
		key, _, _ := p.String(c.NamedChild(1))
		return c.Is("subscript_expression") && c.NumNamed() == 2 && strings.HasPrefix(c.Text(), "$_FILES") && key == "name"
	})
}
