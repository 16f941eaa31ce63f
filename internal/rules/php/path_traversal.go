package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathTraversal(p *rule.Pass) {
	opens := []string{"file_get_contents", "readfile", "fopen", "file", "unlink", "file_put_contents", "rename", "copy", "rmdir",
		"mkdir", "highlight_file", "show_source", "scandir", "opendir", "parse_ini_file", "fpassthru"}
	p.ReportWhere(p.CallsTo(opens...), func(call rule.Node) bool {
		path := p.Arg(call, 0)
		return tainted(p, path) && !checked(p, path, pathTraversalKnown) &&
			!checked(p, value(p, path), pathTraversalKnown) && !strings.Contains(head(p, path), "://")
	})
}

var pathTraversalKnown = regexp.MustCompile(`(?i)realpath|basename|in_array|preg_match|valid|allow|array_key|ctype|str_?pos|` +
	`strstr|starts|sanit|check|str_replace|preg_replace|exists|is_numeric`)
