package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	archiveWrite = regexp.MustCompile(`ExtractToFile|FileStream|File\.(Create|Open|WriteAll)|CopyTo`)
	entryName    = regexp.MustCompile(`(?i)entry\.(FullName|Key)$`)
)

func (*checks) ArchiveSlip(p *rule.Pass) {
	if source := string(p.Tree.Source()); !strings.Contains(source, "Zip") && !strings.Contains(source, "Archive") {
		return
	}
	p.ReportArchiveSlip(rule.Archive{
		Joins: []string{"Combine", "Join"},
		Names: func(n rule.Node) bool { return entryName.MatchString(n.Text()) },
		Write: archiveWrite,
	})
}
