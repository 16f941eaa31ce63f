package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func resourceLeak() rule.Rule {
	news := []string{"FileInputStream", "FileOutputStream", "FileReader", "FileWriter", "RandomAccessFile", "ZipFile", "JarFile", "Socket", "ServerSocket"}
	wrappers := regexp.MustCompile(`^(Buffered|Data|Object|Input|Output|Print|Zip|GZIP|Jar|LineNumber|Pushback)\w*(Stream|Reader|Writer)$|^Scanner$`)
	calls := []string{"Files.newInputStream", "Files.newOutputStream", "Files.newBufferedReader", "Files.newBufferedWriter", "Files.lines", "Files.list", "Files.walk", "DriverManager.getConnection"}
	return rule.Rule{
		ID: "java/resource-leak", Title: "a file, socket or connection is opened and never closed",
		Category: "resource-leak", CWE: "CWE-772", Severity: "medium", Confidence: 0.88,
		Languages: []string{"java"},
		Explanation: "Nothing in the method closes the resource, and nobody else gets to see it. Its file handle stays taken until the garbage collector runs, if ever; under load the " +
			"process runs out of handles, and what a writer still buffers is lost.",
		Suggestion: "Open it in a try-with-resources statement: try (var in = new FileInputStream(f)) { ... }.",
		Bad: []rule.Sample{
			{Source: "class Reader2 {\n  int first(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    return in.read();\n  }\n}\n"},
			{Source: "class Reader2 {\n  String first(File f) throws IOException {\n    BufferedReader in = new BufferedReader(new FileReader(f));\n    String line = in.readLine();\n    return line.trim();\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Reader2 {\n  int first(File f) throws IOException {\n    try (FileInputStream in = new FileInputStream(f)) {\n      return in.read();\n    }\n  }\n}\n"},
			{Source: "class Reader2 {\n  int first(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    try {\n      return in.read();\n    } finally {\n      in.close();\n    }\n  }\n}\n"},
			{Source: "class Reader2 {\n  InputStream open(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    in.skip(4);\n    return in;\n  }\n}\n"},
			{Source: "class Reader2 {\n  void first(File f) throws IOException {\n    FileInputStream in = new FileInputStream(f);\n    in.skip(2);\n    IOUtils.closeQuietly(in);\n  }\n}\n"},
			{Source: "class Reader2 {\n  void first(Socket s) throws IOException {\n    BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream()));\n    in.readLine();\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			var opens func(n syntax.Node) bool
			opens = func(n syntax.Node) bool {
				name := callee(p, n)
				if p.IsCall(n) {
					return slices.Contains(calls, name)
				}
				return slices.Contains(news, name) || wrappers.MatchString(name) && len(p.Args(n)) > 0 && opens(p.Arg(n, 0))
			}
			for d := range p.Nodes("variable_declarator") {
				v, name := d.ChildByField("value"), d.ChildByField("name").Text()
				method := outermost(p, d)
				if d.Parent().Kind() != "local_variable_declaration" || !method.Valid() || !opens(v) || len(v.ChildByField("arguments").Text()) < 3 || v.ChildByField("arguments").NextSibling().Valid() {
					continue
				}
				if fate(p, method, name, d.End()) == "used" {
					p.Report(d.Parent(), "")
				}
			}
		},
	}
}

// fate is "used" when each mention of the variable behind offset at only calls one of its methods, none of which
// closes it; "" when it may be closed, handed on or kept.
func fate(p *rule.Pass, method syntax.Node, name string, at int) string {
	result := ""
	for id := range method.Find("identifier") {
		if id.Text() != name || id.Start() < at {
			continue
		}
		call := id.Parent()
		if call.Kind() == "field_access" && id.Field() != "object" {
			continue
		}
		if call.Kind() != "method_invocation" || id.Field() != "object" || p.Class(id) != p.Class(method) || id.Enclosing("lambda_expression").Valid() {
			return ""
		}
		if m := p.Method(call); strings.HasPrefix(m, "close") || strings.HasPrefix(m, "shutdown") || strings.HasPrefix(m, "accept") || strings.HasPrefix(m, "get") && m != "getFD" {
			return "" // closed, or a part of it lives on
		}
		if up := call.Parent(); up.Kind() == "method_invocation" && strings.HasPrefix(p.Method(up), "close") {
			return ""
		}
		result = "used"
	}
	return result
}
