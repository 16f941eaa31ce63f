package javascript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	archiveWrite  = regexp.MustCompile(`createWriteStream|writeFile|outputFile|mkdir|ensureDir`)
	archiveReader = regexp.MustCompile(`(?:require\(|from )['"](adm-zip|unzipper|unzip|tar-stream)['"]`)
	entryName     = regexp.MustCompile(`\bentry(\.entryName|\.path)$|\bfile\.path$|\bheader\.name$`)
)

func (*checks) ArchiveSlip(p *rule.Pass) {
	reader := archiveReader.FindSubmatch(p.Tree.Source())
	if reader == nil {
		return
	}
	field := map[string]string{"adm-zip": ".entryName", "unzipper": ".path", "unzip": ".path", "tar-stream": ".name"}[string(reader[1])]
	p.ReportArchiveSlip(rule.Archive{
		Joins: []string{"join", "resolve"},
		Names: func(n rule.Node) bool { return entryName.MatchString(n.Text()) && strings.HasSuffix(n.Text(), field) },
		Write: archiveWrite,
	})
}
