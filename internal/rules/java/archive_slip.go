package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	archiveEntry = regexp.MustCompile(`(Zip|Tar|Jar|Archive)Entry`)
	archiveWrite = regexp.MustCompile(`FileOutputStream|Files\.(copy|write|newOutputStream|createDirector)|transferTo|FileUtils\.copy`)
)

func (*checks) ArchiveSlip(p *rule.Pass) {
	if !archiveEntry.Match(p.Tree.Source()) {
		return
	}
	p.ReportArchiveSlip(rule.Archive{
		Joins: []string{"File", "resolve", "get", "of"},
		Names: func(n rule.Node) bool {
			return p.IsCall(n) && p.Method(n) == "getName" && strings.HasSuffix(typeOf(p, n, n.ChildByField("object").Text()), "Entry")
		},
		Write: archiveWrite,
	})
}
