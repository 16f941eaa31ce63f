package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func weakCipher() rule.Rule {
	weak := regexp.MustCompile(`(?i)^(DES|DESede|TripleDES|RC2|RC4|ARCFOUR|Blowfish)(/|$)|^AES$|^[A-Za-z0-9_]+/ECB/`)
	legacy := regexp.MustCompile(`(?i)ntlm|kerberos|krb5|smb|vnc`)
	return rule.Rule{
		ID: "java/weak-cipher", Title: "a broken cipher or block mode is used",
		Category: "weak-crypto", CWE: "CWE-327", Severity: "high", Confidence: 0.9,
		Languages: []string{"java"},
		Explanation: "DES and RC4 can be broken with ordinary hardware. ECB, which plain \"AES\" means in Java, encrypts equal blocks to equal blocks, so the structure of " +
			"the text shows through, and blocks can be swapped unnoticed.",
		Suggestion: "Use Cipher.getInstance(\"AES/GCM/NoPadding\") with a fresh random 12-byte nonce for each message.",
		Bad: []rule.Sample{
			{Source: "class Box {\n  Cipher cipher() throws Exception {\n    return Cipher.getInstance(\"AES/ECB/PKCS5Padding\");\n  }\n}\n"},
			{Source: "class Box {\n  static final String ALGORITHM = \"DES\";\n  Cipher cipher() throws Exception {\n    return Cipher.getInstance(ALGORITHM);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Box {\n  Cipher cipher() throws Exception {\n    return Cipher.getInstance(\"AES/GCM/NoPadding\");\n  }\n}\n"},
			{Source: "class Box {\n  Cipher cipher() throws Exception {\n    return Cipher.getInstance(\"RSA/ECB/OAEPWithSHA-256AndMGF1Padding\");\n  }\n}\n"},
			{Source: "class Box {\n  Cipher cipher(String transformation) throws Exception {\n    return Cipher.getInstance(transformation);\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			if legacy.MatchString(p.Path) {
				return // the protocol fixes the cipher
			}
			for _, call := range p.Calls() {
				if callee(p, call) != "Cipher.getInstance" {
					continue
				}
				name := constant(p, p.Arg(call, 0))
				if weak.MatchString(name) && !strings.HasPrefix(strings.ToUpper(name), "RSA") {
					p.Report(call, name)
				}
			}
		},
	}
}

// constant is the text of a string literal, or of the final field of the same class that n names.
func constant(p *rule.Pass, n syntax.Node) string {
	if s, _, ok := p.String(n); ok {
		return s
	}
	d := field(p.Class(n), n.Text())
	if n.Kind() != "identifier" || !d.Valid() || !strings.Contains(d.NamedChild(0).Text(), "final") {
		return ""
	}
	for c := range d.NamedChildren() {
		if c.ChildByField("name").Text() == n.Text() {
			s, _, _ := p.String(c.ChildByField("value"))
			return s
		}
	}
	return ""
}
