package finding

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// categoryHints maps a fragment of a worker's own word to a category. The first fragment that occurs wins, so the
// narrow ones stand before the wide ones.
var categoryHints = []struct{ fragment, category string }{
	{"xxe", "xxe"}, {"xml-external", "xxe"},
	{"csrf", "csrf"}, {"cross-site-request", "csrf"}, {"request-forgery-server", "ssrf"},
	{"ssrf", "ssrf"}, {"server-side-request", "ssrf"},
	{"xss", "xss"}, {"cross-site-scripting", "xss"}, {"html-injection", "xss"},
	{"redirect", "redirect"},
	{"traversal", "path-traversal"}, {"path-injection", "path-traversal"}, {"zip-slip", "path-traversal"},
	{"directory-escape", "path-traversal"}, {"file-inclusion", "path-traversal"},
	{"deserial", "deserialization"}, {"unserial", "deserialization"}, {"pickle", "deserialization"},
	{"inject", "injection"}, {"sqli", "injection"}, {"sql", "injection"}, {"rce", "injection"},
	{"code-execution", "injection"}, {"command-execution", "injection"}, {"eval", "injection"},
	{"hardcoded", "secrets"}, {"hard-coded", "secrets"}, {"secret", "secrets"}, {"credential", "secrets"},
	{"api-key", "secrets"}, {"password-in", "secrets"},
	{"crypto", "weak-crypto"}, {"cipher", "weak-crypto"}, {"hash", "weak-crypto"}, {"random", "weak-crypto"},
	{"tls", "weak-crypto"}, {"certificate", "weak-crypto"}, {"encrypt", "weak-crypto"},
	{"auth", "auth"}, {"access-control", "auth"}, {"permission", "auth"}, {"idor", "auth"}, {"privilege", "auth"},
	{"session", "auth"}, {"jwt", "auth"},
	{"privacy", "privacy"}, {"pii", "privacy"}, {"information-disclosure", "privacy"}, {"information-exposure", "privacy"},
	{"data-exposure", "privacy"}, {"sensitive-data", "privacy"},
	{"race", "concurrency"}, {"deadlock", "concurrency"}, {"concurren", "concurrency"}, {"thread", "concurrency"},
	{"toctou", "concurrency"}, {"atomic", "concurrency"}, {"goroutine", "concurrency"}, {"async", "concurrency"},
	{"leak", "resource-leak"}, {"resource", "resource-leak"}, {"unclosed", "resource-leak"},
	{"null", "null-dereference"}, {"nil", "null-dereference"}, {"undefined", "null-dereference"}, {"none-deref", "null-dereference"},
	{"overflow", "memory-safety"}, {"use-after", "memory-safety"}, {"memory", "memory-safety"}, {"out-of-bounds", "memory-safety"},
	{"buffer", "memory-safety"}, {"double-free", "memory-safety"},
	{"off-by", "off-by-one"}, {"boundary", "off-by-one"}, {"fencepost", "off-by-one"},
	{"compar", "comparison"}, {"equality", "comparison"},
	{"exception", "error-handling"}, {"error", "error-handling"}, {"swallow", "error-handling"},
	{"data-loss", "data-loss"}, {"corrupt", "data-loss"}, {"integrity", "data-loss"}, {"truncat", "data-loss"},
	{"dead", "dead-code"}, {"unused", "dead-code"}, {"unreachable", "dead-code"},
	{"test", "test-quality"}, {"coverage", "test-quality"},
	{"perform", "performance"}, {"efficien", "performance"}, {"complexity", "performance"}, {"n+1", "performance"},
	{"dos", "performance"}, {"denial", "performance"}, {"redos", "performance"},
	{"config", "configuration"}, {"debug-mode", "configuration"}, {"cors", "configuration"}, {"header", "configuration"},
	{"deprecat", "api-misuse"}, {"misuse", "api-misuse"}, {"api", "api-misuse"}, {"mutable-default", "api-misuse"},
	{"logic", "logic"}, {"correctness", "logic"}, {"bug", "logic"}, {"functional", "logic"}, {"wrong", "logic"},
	{"maintain", "maintainability"}, {"style", "maintainability"}, {"readab", "maintainability"}, {"quality", "maintainability"},
	{"duplic", "maintainability"}, {"smell", "maintainability"}, {"document", "maintainability"}, {"naming", "maintainability"},
	{"design", "maintainability"}, {"architect", "maintainability"},
}

// cweCategories places a CWE number where the worker's word says nothing.
var cweCategories = map[string]string{
	"CWE-20": "logic", "CWE-22": "path-traversal", "CWE-23": "path-traversal", "CWE-36": "path-traversal", "CWE-73": "path-traversal",
	"CWE-77": "injection", "CWE-78": "injection", "CWE-79": "xss", "CWE-80": "xss", "CWE-89": "injection", "CWE-90": "injection",
	"CWE-94": "injection", "CWE-95": "injection", "CWE-98": "path-traversal", "CWE-113": "injection", "CWE-117": "injection",
	"CWE-119": "memory-safety", "CWE-120": "memory-safety", "CWE-121": "memory-safety", "CWE-122": "memory-safety",
	"CWE-125": "memory-safety", "CWE-134": "memory-safety", "CWE-190": "memory-safety", "CWE-193": "off-by-one",
	"CWE-200": "privacy", "CWE-209": "privacy", "CWE-252": "error-handling", "CWE-284": "auth", "CWE-285": "auth", "CWE-287": "auth",
	"CWE-295": "weak-crypto", "CWE-306": "auth", "CWE-312": "privacy", "CWE-319": "weak-crypto", "CWE-321": "secrets",
	"CWE-326": "weak-crypto", "CWE-327": "weak-crypto", "CWE-328": "weak-crypto", "CWE-330": "weak-crypto", "CWE-338": "weak-crypto",
	"CWE-345": "auth", "CWE-347": "weak-crypto", "CWE-352": "csrf", "CWE-359": "privacy", "CWE-362": "concurrency", "CWE-367": "concurrency",
	"CWE-369": "logic", "CWE-390": "error-handling", "CWE-391": "error-handling", "CWE-396": "error-handling", "CWE-400": "performance",
	"CWE-401": "resource-leak", "CWE-404": "resource-leak", "CWE-415": "memory-safety", "CWE-416": "memory-safety",
	"CWE-476": "null-dereference", "CWE-480": "logic", "CWE-481": "comparison", "CWE-489": "configuration", "CWE-502": "deserialization",
	"CWE-532": "privacy", "CWE-561": "dead-code", "CWE-595": "comparison", "CWE-597": "comparison", "CWE-601": "redirect",
	"CWE-611": "xxe", "CWE-639": "auth", "CWE-643": "injection", "CWE-667": "concurrency", "CWE-697": "comparison", "CWE-732": "auth",
	"CWE-754": "error-handling", "CWE-755": "error-handling", "CWE-772": "resource-leak", "CWE-775": "resource-leak",
	"CWE-776": "xxe", "CWE-787": "memory-safety", "CWE-798": "secrets", "CWE-833": "concurrency", "CWE-835": "logic",
	"CWE-862": "auth", "CWE-863": "auth", "CWE-915": "api-misuse", "CWE-916": "weak-crypto", "CWE-918": "ssrf", "CWE-942": "configuration",
	"CWE-943": "injection", "CWE-1004": "configuration", "CWE-1188": "configuration", "CWE-1333": "performance",
}

// NormalCategory maps a worker's own word to one of [taxonomy.Categories]: the word itself, then the words it holds, then the CWE,
// then "other".
func NormalCategory(word, cwe string) string {
	w := kebab(word)
	if taxonomy.IsCategory(w) {
		return w
	}
	if w != "" && w != "security" && w != "vulnerability" {
		for _, h := range categoryHints {
			if strings.Contains(w, h.fragment) {
				return h.category
			}
		}
	}
	if c, ok := cweCategories[NormalCWE(cwe)]; ok {
		return c
	}
	if c, ok := cweCategories[NormalCWE(word)]; ok {
		return c
	}
	return taxonomy.Other
}

// kebab lowers s and turns every run of anything but letters, digits and '+' into one dash.
func kebab(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
			continue
		}
		dash = true
		if b.Len() > 200 {
			break
		}
	}
	return b.String()
}
