package java

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	archiveEntry = regexp.MustCompile(`(Zip|Tar|Jar|Archive)Entry`)
	archiveWrite = regexp.MustCompile(`FileOutputStream|Files\.(copy|write|newOutputStream|createDirector)|transferTo|FileUtils\.copy`)
)

func (*checks) ArchiveSlip(p *rule.Pass) {
	if src := p.Tree.Source(); !bytes.Contains(src, []byte("Entry")) || !archiveEntry.Match(src) {
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
