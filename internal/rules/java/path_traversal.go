package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathTraversal(p *rule.Pass) {
	opens := []string{"File", "FileInputStream", "FileOutputStream", "FileReader", "FileWriter", "RandomAccessFile", "PrintWriter",
		"java.io.File", "Paths.get", "Path.of", "Files.readAllBytes", "Files.readString", "Files.newInputStream", "Files.delete",
		"Files.copy", "Files.write"}
	p.ReportWhere(callsTo(p, opens...), func(n rule.Node) bool {
		return input(p).AnyTainted(p.Args(n)) && (callee(p, n) != "PrintWriter" || input(p).Tainted(p.Arg(n, 0))) &&
			!pathTraversalChecked.MatchString(outermost(p, n).Text())
	})
}

var pathTraversalChecked = regexp.MustCompile(`getCanonical|toRealPath|normalize\(|startsWith\(|"\.\."|lastIndexOf|isValid|FilenameUtils`)
