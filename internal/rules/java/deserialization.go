package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func deserialization() rule.Rule {
	return rule.Rule{
		ID: "java/unsafe-deserialization", Title: "objects are deserialized from data that comes over the network",
		Category: "deserialization", CWE: "CWE-502", Severity: "critical", Confidence: 0.8,
		Languages: []string{"java"},
		Explanation: "readObject builds whatever classes the bytes name and runs their code while it does. With common libraries on the class path a crafted stream " +
			"runs commands on this machine before the cast to the expected type fails.",
		Suggestion: "Send JSON or protobuf and map it to fixed classes; where serialization must stay, set an ObjectInputFilter that allows only the classes expected.",
		Bad: []rule.Sample{
			{Source: "class Cart extends HttpServlet {\n  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    ObjectInputStream in = new ObjectInputStream(request.getInputStream());\n    Object cart = in.readObject();\n  }\n}\n"},
			{Source: "class Server {\n  Object next(Socket socket) throws Exception {\n    return new ObjectInputStream(new BufferedInputStream(socket.getInputStream())).readObject();\n  }\n}\n"},
			{Source: "class Cart {\n  @PostMapping(\"/cart\")\n  Object load(@RequestParam String token) throws Exception {\n    String b64 = token.replace('-', '+');\n    return new ObjectInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(b64))).readObject();\n  }\n}\n"},
			{Source: "class Cart {\n  Object restore(HttpServletRequest request) throws Exception {\n    byte[] data = Base64.getDecoder().decode(request.getParameter(\"state\"));\n    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(data));\n    return in.readObject();\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Cache {\n  Object load(File f) throws Exception {\n    try (ObjectInputStream in = new ObjectInputStream(new FileInputStream(f))) { return in.readObject(); }\n  }\n}\n"},
			{Source: "class Server {\n  Object next(Socket socket) throws Exception {\n    ObjectInputStream in = new ObjectInputStream(socket.getInputStream());\n    in.setObjectInputFilter(FILTER);\n    return in.readObject();\n  }\n}\n"},
			{Source: "class Server {\n  Object next(Socket socket) throws Exception {\n    return new SafeObjectInputStream(socket.getInputStream()).readObject();\n  }\n}\n"},
			{Source: "class Server {\n  int next(Socket socket) throws Exception {\n    return new DataInputStream(socket.getInputStream()).readInt();\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, n := range p.News() {
				if name := callee(p, n); name != "ObjectInputStream" && name != "XMLDecoder" || n.Parent().Kind() == "class_body" {
					continue
				}
				method := outermost(p, n)
				text := method.Text()
				if !strings.Contains(text, "readObject") || strings.Contains(text, "ObjectInputFilter") || !networkFlow(p).AnyTainted(p.Args(n)) {
					continue
				}
				p.Report(n, "")
			}
		},
	}
}

// networkFlow is the flow of bytes that arrive through a socket or a request.
func networkFlow(p *rule.Pass) *rule.Flow {
	network := regexp.MustCompile(`(?i)(socket|conn(ection)?|client|req(uest)?|channel|exchange)$`)
	return rule.Memo(p, "java.network", func() *rule.Flow {
		return p.Flow(rule.Taint{
			Parameter: bound,
			Source: func(n syntax.Node) bool {
				if n.Kind() == "method_invocation" && p.Method(n) == "getInputStream" {
					return network.MatchString(receiver(n).Text()) || typeOf(p, n, receiver(n).Text()) == "Socket"
				}
				return p.UserInput(n)
			},
			Propagate: func(_ syntax.Node, callee string) bool {
				return strings.HasSuffix(callee, "InputStream") || callee == "String" || strings.HasSuffix(callee, ".decode") || strings.HasSuffix(callee, "decodeBase64")
			},
		})
	})
}
