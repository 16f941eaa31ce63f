package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var archiveWrite = regexp.MustCompile(`FileOutputStream|Files\.(copy|write|newOutputStream|createDirector)|transferTo|FileUtils\.copy`)

func (*checks) ArchiveSlip(p *rule.Pass) {
	p.ReportArchiveSlip(rule.Archive{
		Joins: []string{"File", "resolve", "get", "of"},
		Names: func(n rule.Node) bool {
			return p.IsCall(n) && p.Method(n) == "getName" && strings.HasSuffix(typeOf(p, n, n.ChildByField("object").Text()), "Entry")
		},
		Write: archiveWrite,
	})
}
