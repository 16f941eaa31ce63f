package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var passwordName = regexp.MustCompile(`(?i)^(user_?|new_?|old_?|raw_?|plain_?|plaintext_?|hashed_?)?(password|passwd|pwd|` +
	`passphrase)(1|2|_plain|_raw|_bytes)?$`)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// passwordDigests gives the calls that make a fast digest of a password.
func passwordDigests(p *rule.Pass) []rule.Node {
	return rule.Memo(p, "python.passwordDigests", func() []rule.Node {
		var found []rule.Node
		if strings.Contains(string(p.Tree.Source()), "pwnedpasswords") {
			return nil
		}
		fast := regexp.MustCompile(`^hashlib\.(md5|sha1|sha224|sha256|sha384|sha512)$`)
		for _, call := range p.Calls() {
			name := callee(p, call)
			at := p.Arg(call, 0)
			if strings.HasSuffix(name, ".update") {
				object := call.ChildByField("function").ChildByField("object")
				v, ok := assigned(p, object, call)
				if !ok || object.Kind() != "identifier" || v.Kind() != "call" {
					continue
				}
				name = callee(p, v)
			}
			if name == "hashlib.new" {
				if algorithm, _, ok := p.String(at); ok && fast.MatchString("hashlib."+strings.ToLower(algorithm)) {
					name, at = "hashlib.md5", p.Arg(call, 1)
				}
			}
			if !fast.MatchString(name) || !at.Valid() || strings.Contains(at.Text(), "[") {
				continue
			}
			names := p.Names(at)
			if slices.ContainsFunc(names, passwordName.MatchString) && !p.ProtocolDigest(call) {
				found = append(found, call)
			}
		}
		return found
	})
}
