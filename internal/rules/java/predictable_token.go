package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func predictableToken() rule.Rule {
	secret := regexp.MustCompile(`(?i)token|passw(or)?d|secret|session_?id|nonce|\bsalt|salt$|\botp\b|csrf|api_?key|captcha|verif(y|ication)_?code|reset_?(code|key)`)
	language := regexp.MustCompile(`(?i)tokeniz|lexer|parser|next_?token|analy[sz]er|bucket`)
	return rule.Rule{
		ID: "java/predictable-token", Title: "a secret value is made with a predictable random generator",
		Category: "weak-crypto", CWE: "CWE-338", Severity: "high", Confidence: 0.8,
		Languages: []string{"java"},
		Explanation: "java.util.Random, Math.random and ThreadLocalRandom are linear generators with a 48- or 64-bit state: from a few values somebody computes all further " +
			"ones, other users' tokens and passwords included.",
		Suggestion: "Use java.security.SecureRandom, say 32 bytes of it in Base64.",
		Bad: []rule.Sample{
			{Source: "class Sessions {\n  String newToken() {\n    Random random = new Random();\n    return Long.toHexString(random.nextLong());\n  }\n}\n"},
			{Source: "class Reset {\n  void start(User u) {\n    String password = \"\" + Math.random();\n    u.setPassword(password);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Sessions {\n  String newToken() {\n    byte[] b = new byte[32];\n    new SecureRandom().nextBytes(b);\n    return Base64.getEncoder().encodeToString(b);\n  }\n}\n"},
			{Source: "class Dice {\n  int roll() {\n    return new Random().nextInt(6) + 1;\n  }\n}\n"},
			{Source: "class Sessions {\n  private final Random random = new SecureRandom();\n  String newToken() {\n    return Long.toHexString(random.nextLong());\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, n := range slices.Concat(p.Calls(), p.News()) {
				switch name := callee(p, n); {
				case name == "Math.random", strings.HasPrefix(name, "RandomStringUtils.random"), strings.HasPrefix(name, "ThreadLocalRandom.current.next"):
				case name == "Random" && n.Kind() == "object_creation_expression" && len(p.Args(n)) < 2:
				default:
					continue
				}
				target := ""
				if d := n.Enclosing("variable_declarator", "assignment_expression"); d.Valid() && !p.IsCall(d) {
					target = d.ChildByField("name").Text() + d.ChildByField("left").Text()
				}
				method := outermost(p, n).ChildByField("name").Text()
				if (secret.MatchString(target) || secret.MatchString(method)) && !language.MatchString(target+" "+method+" "+p.Path) {
					p.Report(n, "")
				}
			}
		},
	}
}
