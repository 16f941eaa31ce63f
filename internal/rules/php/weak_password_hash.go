package php

import (
	"path"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// passwordDigests gives the calls that make a fast digest of a password.
func passwordDigests(p *rule.Pass) []rule.Node {
	return rule.Memo(p, "php.passwordDigests", func() []rule.Node {
		var found []rule.Node
		for _, call := range p.CallsTo("md5", "sha1", "crc32", "hash") {
			hashed := p.Arg(call, 0)
			if p.Callee(call) == "hash" {
				algorithm, _, _ := p.String(hashed)
				if !rule.OneOf(strings.ToLower(algorithm), "md5", "sha1", "sha256", "sha512", "crc32") {
					continue
				}
				hashed = p.Arg(call, 1)
			}
			if p.ScopeHas(call, weakPasswordHashOther) || implements(p, call) {
				continue
			}
			for _, o := range operands(p, hashed) {
				if last := lastName(p, o); weakPasswordHashPassword.MatchString(last) && passwordOnly(last) {
					found = append(found, call)
				}
			}
		}
		return found
	})
}

var (
	weakPasswordHashPassword = regexp.MustCompile(`(?i)passw(or)?d|passphrase|\bpwd\b|\bpass(_|\b)`)
	// Old hashes are still checked beside new ones, directories fix their schemes, and many rounds are no fast digest.
	weakPasswordHashOther = regexp.MustCompile(`(?i)pwne?d|password_(verify|hash)|rehash|set_password|` +
		`ssha|smd5|\{md5\}|\{sha|pbkdf|while \(--`)
)

// named matches files, classes and functions that are called by a digest: they are what reads the passwords of another program.
var named = regexp.MustCompile(`(?i)(^|[^a-z])(s?md5|s?sha_?\d*)([^a-z]|$)`)

// implements tells whether code around a call is an old form of passwords, and says so by its name.
func implements(p *rule.Pass, call rule.Node) bool {
	return named.MatchString(path.Base(p.Path)) || named.MatchString(p.Class(call).ChildByField("name").Text()) ||
		hashes.MatchString(p.Function(call).ChildByField("name").Text())
}

// hashes matches methods that make or check a digest of a kind.
var hashes = regexp.MustCompile(`(?i)^(hash|check|verify|crypt)_?\w*(md5|sha)`)

// lastName is the name of the variable, property or array key that n reads.
func lastName(p *rule.Pass, n rule.Node) string {
	switch n.Kind() {
	case "variable_name":
		return n.Text()
	case "member_access_expression":
		return n.ChildByField("name").Text()
	case "subscript_expression":
		if n.NumNamed() == 2 {
			s, _, _ := p.String(n.NamedChild(1))
			return s
		}
	}
	return ""
}

// passwordOnly tells whether a name means the password itself, not something about it.
func passwordOnly(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(strings.TrimLeft(name, "$")), func(r rune) bool { return r == '_' || r == '-' })
	if len(words) == 0 {
		return false
	}
	if len(words) == 2 && rule.OneOf(words[1], "new", "old", "curr", "current", "conf", "confirm", "plain", "raw", "user") {
		words = words[:1]
	}
	last := strings.TrimRight(words[len(words)-1], "0123456789")
	return strings.HasSuffix(last, "password") || strings.HasSuffix(last, "passwd") || last == "pass" || last == "pwd" ||
		last == "passphrase"
}
