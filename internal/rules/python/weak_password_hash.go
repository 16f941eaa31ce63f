package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var passwordName = regexp.MustCompile(`(?i)^(user_?|new_?|old_?|raw_?|plain_?|plaintext_?|hashed_?)?(password|passwd|pwd|` +
	`passphrase|passcode|passw|passwrd|pword)(1|2|_plain|_raw|_bytes)?$`)
var (
	hashesPassword = regexp.MustCompile(`(?i)^_*(hash|encrypt|digest|encode)_?(the_)?(pass|password|passwd|pw|pwd)s?$|` +
		`^_*(pass|password|pwd|pw)_?hash$`)
	passwordField = regexp.MustCompile(`(?i)(\[|\.get\(|get_argument\()\s*['"](user_?|new_?)?(password|passwd|pwd|passcode|psw)['"]`)
)

// rounds matches functions that make a digest many times, or make another of it that is slow.
var rounds = regexp.MustCompile(`(?i)iterations|pbkdf2|_rounds\b|\brounds\b|scrypt|bcrypt|argon`)

func (*checks) WeakPasswordHash(p *rule.Pass) {
	for _, digest := range passwordDigests(p) {
		p.Report(digest, "")
	}
}

// weakMethod: werkzeug and passlib are asked for one round of a fast hash.
func weakMethod(p *rule.Pass, call rule.Node, name string) bool {
	if rule.LastName(name) != "generate_password_hash" {
		return false
	}
	method, _, ok := p.String(rule.Either(p.Keyword(call, "method"), p.Arg(call, 1)))
	return ok && rule.OneOf(method, "plain", "md5", "sha1", "sha224", "sha256", "sha384", "sha512")
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
			if weakMethod(p, call, name) {
				found = append(found, call)
				continue
			}
			if name == "hashlib.new" {
				if algorithm, _, ok := p.String(at); ok && fast.MatchString("hashlib."+strings.ToLower(algorithm)) {
					name, at = "hashlib.md5", p.Arg(call, 1)
				}
			}
			if !fast.MatchString(name) || !at.Valid() || p.ScopeHas(call, rounds) {
				continue
			}
			if !p.ProtocolDigest(call) && (passwordField.MatchString(at.Text()) ||
				hashesPassword.MatchString(p.Function(call).ChildByField("name").Text()) ||
				!strings.Contains(at.Text(), "[") && slices.ContainsFunc(p.Names(at), passwordName.MatchString)) {
				found = append(found, call)
			}
		}
		return found
	})
}
