package java

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathTraversal(p *rule.Pass) {
	news := []string{"File", "FileInputStream", "FileOutputStream", "FileReader", "FileWriter", "RandomAccessFile", "PrintWriter",
		"java.io.File"}
	calls := []string{"Paths.get", "Path.of", "Files.readAllBytes", "Files.readString", "Files.newInputStream", "Files.delete",
		"Files.copy", "Files.write"}
	for _, n := range slices.Concat(p.Calls(), p.News()) {
		name := callee(p, n)
		if !slices.Contains(news, name) && !slices.Contains(calls, name) {
			continue
		}
		flow := input(p)
		if !flow.AnyTainted(p.Args(n)) {
			continue
		}
		if name == "PrintWriter" && !flow.Tainted(p.Arg(n, 0)) || pathTraversalChecked.MatchString(outermost(p, n).Text()) {
			continue
		}
		p.Report(n, "")
	}
}

var pathTraversalChecked = regexp.MustCompile(`getCanonical|toRealPath|normalize\(|startsWith\(|"\.\."|lastIndexOf|isValid|FilenameUtils`)
