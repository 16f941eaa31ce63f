package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UploadName(p *rule.Pass) {
	looked := regexp.MustCompile(`(?i)PATHINFO_EXTENSION|pathinfo|\bext\b|extension|mime|getimagesize|finfo|preg_match|` +
		`allowed|sanit|sandbox|strrchr|['"]\.(jpe?g|png|gif|pdf|csv|zip)`)
	p.ReportWhere(p.CallsTo("move_uploaded_file"), func(call rule.Node) bool {
		target := p.Arg(call, 1)
		if looked.MatchString(p.Scope(call).Text()) {
			return false
		}
		named := clientName(p, target)
		for _, a := range p.Assignments(p.Scope(call)) {
			named = named || a.Target.Text() == target.Text() && a.Node.End() < call.Start() && clientName(p, a.Value)
		}
		return named
	})
}

// clientName tells whether n contains the name of an uploaded file as the client sent it.
func clientName(p *rule.Pass, n rule.Node) bool {
	return rule.Within(n, func(c rule.Node) bool {
		key, _, _ := p.String(c.NamedChild(1))
		return c.Is("subscript_expression") && c.NumNamed() == 2 && strings.HasPrefix(c.Text(), "$_FILES") && key == "name"
	})
}
