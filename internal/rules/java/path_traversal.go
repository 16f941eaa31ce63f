package java

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func pathTraversal() rule.Rule {
	news := []string{"File", "FileInputStream", "FileOutputStream", "FileReader", "FileWriter", "RandomAccessFile", "PrintWriter", "java.io.File"}
	calls := []string{"Paths.get", "Path.of", "Files.readAllBytes", "Files.readString", "Files.newInputStream", "Files.delete", "Files.copy", "Files.write"}
	checked := regexp.MustCompile(`getCanonical|toRealPath|normalize\(|startsWith\(|"\.\."|lastIndexOf|isValid|FilenameUtils`)
	return rule.Rule{
		ID: "java/path-traversal", Title: "a file is opened under a path that comes from the request",
		Category: "path-traversal", CWE: "CWE-22", Severity: "high", Confidence: 0.85,
		Languages: []string{"java"},
		Explanation: "A request with ../../../etc/passwd (or an absolute path) leaves the directory that was meant, so the client reads, overwrites or deletes any " +
			"file the server may touch.",
		Suggestion: "Resolve the path, call toRealPath() or getCanonicalPath() and refuse what does not start with the base directory; or keep files under generated names.",
		Bad: []rule.Sample{
			{Source: "class Download extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    File f = new File(\"/srv/files/\" + request.getParameter(\"name\"));\n    Files.copy(f.toPath(), response.getOutputStream());\n  }\n}\n"},
			{Source: "class Docs {\n  @GetMapping(\"/doc/{name}\")\n  byte[] doc(@PathVariable String name) throws IOException {\n    return Files.readAllBytes(Paths.get(\"docs\", name));\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Docs {\n  byte[] doc(@PathVariable String name) throws IOException {\n    Path p = Paths.get(\"docs\", name).normalize();\n    if (!p.startsWith(\"docs\")) throw new IOException();\n    return Files.readAllBytes(p);\n  }\n}\n"},
			{Source: "class Docs {\n  byte[] doc(@PathVariable long id) throws IOException {\n    return Files.readAllBytes(Paths.get(\"docs\", id + \".pdf\"));\n  }\n}\n"},
			{Source: "class Docs {\n  byte[] doc(String name) throws IOException {\n    return Files.readAllBytes(Paths.get(\"docs\", name));\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, n := range slices.Concat(p.Calls(), p.News()) {
				name := callee(p, n)
				if !slices.Contains(news, name) && !slices.Contains(calls, name) {
					continue
				}
				flow := input(p)
				if !flow.AnyTainted(p.Args(n)) {
					continue
				}
				if name == "PrintWriter" && !flow.Tainted(p.Arg(n, 0)) || checked.MatchString(outermost(p, n).Text()) {
					continue
				}
				p.Report(n, "")
			}
		},
	}
}
