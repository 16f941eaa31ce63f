package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ResourceLeak(p *rule.Pass) {
	news := []string{"FileInputStream", "FileOutputStream", "FileReader", "FileWriter", "RandomAccessFile", "ZipFile", "JarFile",
		"Socket", "ServerSocket"}
	opened := []string{"Files.newInputStream", "Files.newOutputStream", "Files.newBufferedReader", "Files.newBufferedWriter",
		"Files.lines", "Files.list", "Files.walk", "DriverManager.getConnection"}
	opens := func(n rule.Node) bool {
		for !p.IsCall(n) && !slices.Contains(news, callee(p, n)) && resourceLeakWrappers.MatchString(callee(p, n)) {
			n = p.Arg(n, 0)
		}
		return slices.Contains(opened, callee(p, n)) && p.IsCall(n) || slices.Contains(news, callee(p, n)) && !p.IsCall(n)
	}
	for _, d := range p.Nodes("variable_declarator") {
		v, name := d.ChildByField("value"), d.ChildByField("name").Text()
		method := outermost(p, d)
		if d.Parent().Kind() != "local_variable_declaration" || !method.Valid() || !opens(v) ||
			len(v.ChildByField("arguments").Text()) < 3 || v.ChildByField("arguments").NextSibling().Valid() {
			continue
		}
		if fate(p, method, name, d.End()) == "used" {
			p.Report(d.Parent(), "")
		}
	}
}

var resourceLeakWrappers = regexp.MustCompile(`^(Buffered|Data|Object|Input|Output|Print|Zip|GZIP|Jar|LineNumber|` +
	`Pushback)\w*(Stream|Reader|Writer)$|^Scanner$`)

// fate is "used" when each mention of the variable behind offset at only calls one of its methods, none of which
// closes it; "" when it may be closed, handed on or kept.
func fate(p *rule.Pass, method rule.Node, name string, at int) string {
	result := ""
	for id := range method.Find("identifier") {
		if id.Text() != name || id.Start() < at {
			continue
		}
		call := id.Parent()
		if call.Kind() == "field_access" && id.Field() != "object" {
			continue
		}
		if call.Kind() != "method_invocation" || id.Field() != "object" || p.Class(id) != p.Class(method) ||
			id.Enclosing("lambda_expression").Valid() {
			return ""
		}
		if m := p.Method(call); strings.HasPrefix(m, "close") || strings.HasPrefix(m, "shutdown") || strings.HasPrefix(m, "accept") ||
			strings.HasPrefix(m, "get") && m != "getFD" {
			return "" // closed, or a part of it lives on
		}
		if up := call.Parent(); up.Kind() == "method_invocation" && strings.HasPrefix(p.Method(up), "close") {
			return ""
		}
		result = "used"
	}
	return result
}
