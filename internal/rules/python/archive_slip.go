package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var archiveWrite = regexp.MustCompile(`["'][wx]b?\+?["']|\.write_bytes\(|copyfileobj`)

func (*checks) ArchiveSlip(p *rule.Pass) {
	if !imported(p, "zipfile", "tarfile") {
		return
	}
	p.ReportArchiveSlip(rule.Archive{
		Joins: []string{"join", "joinpath"},
		Names: func(n rule.Node) bool { return entryName(p, n) },
		Write: archiveWrite,
	})
}

// entryName tells whether n is what a loop over an archive gives: a name, or an entry's name.
func entryName(p *rule.Pass, n rule.Node) bool {
	if n.Is("attribute") && rule.OneOf(n.ChildByField("attribute").Text(), "filename", "name") {
		return listed(p, n.ChildByField("object"), "infolist", "getmembers")
	}
	return rule.OneOf(p.Method(n), "namelist", "getnames") || listed(p, n, "namelist", "getnames")
}

// listed tells whether n is what a loop around it takes from a list that an archive gives.
func listed(p *rule.Pass, n rule.Node, methods ...string) bool {
	for loop := range rule.Around(n, "for_statement") {
		if loop.ChildByField("left").Text() == n.Text() {
			return rule.OneOf(p.Method(loop.ChildByField("right")), methods...)
		}
	}
	return false
}
