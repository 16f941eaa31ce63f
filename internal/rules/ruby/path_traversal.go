package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathTraversal(p *rule.Pass) {
	opens := []string{"File.open", "File.read", "File.new", "File.delete", "File.unlink", "File.write", "File.readlines", "IO.read",
		"IO.readlines", "FileUtils.rm", "FileUtils.rm_rf", "FileUtils.cp", "FileUtils.mv", "send_file", "File.binread",
		"Dir.entries", "Dir.glob"}
	p.ReportWhere(p.CallsTo(opens...), func(call rule.Node) bool {
		path := p.Arg(call, 0)
		return path.Valid() && tainted(p, path) && !upload(path) && !pathTraversalChecks.MatchString(around(p, call).Text())
	})
}

var pathTraversalChecks = regexp.MustCompile(`(?i)basename|start_with\?|expand_path|realpath|include\?|match|=~|allowed|` +
	`valid|gsub|sanitize|cleanpath|\.(delete|tr)\(['"]`)

// upload tells whether n reads the temporary file of an upload, whose name the framework chose.
func upload(n rule.Node) bool {
	text := n.Text()
	return strings.Contains(text, "tempfile") || strings.HasSuffix(text, ".path") || strings.Contains(text, "tmp")
}
