package rule

import (
	"math"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	credentialName = regexp.MustCompile(`(?i)(^|[_.\-])(password|passwd|passphrase|secret|secretkey|apikey|api_?key|` +
		`access_?key|auth_?token|access_?token|api_?token|private_?key|secret_?key|client_?secret|encryption_?key|` +
		`signing_?key|db_?pass|jwt_?secret|token)$|(Password|Secret|ApiKey|APIKey|AccessKey|AuthToken|AccessToken|` +
		`SecretKey|PrivateKey)$`)
	// Words which say that the name holds something about a secret: its field, header, file, length, message.
	aboutSecret = regexp.MustCompile(`(?i)field|header|param|label|placeholder|prompt|message|error|regex|pattern|url|uri|` +
		`path|file|env|name|type|hint|column|prefix|length|title|help|text|example|test|mock|dummy|fake|default_token|csrf|` +
		`(update|sync|next|request|continuation|idempotency)_?token|page_?token|invalid|reset`)
	placeholder = regexp.MustCompile(`(?i)^(x{3,}|\*+|\.+|change_?-?me.*|.*your[_\- ].*|.*example.*|.*placeholder.*|` +
		`.*dummy.*|.*fake.*|.*sample.*|<.*>|\$\{.*|\{\{.*|%\(?.*|\$[A-Z_(].*|todo.*|fixme.*|none|null|nil|undefined|true|` +
		`false|redacted.*|.*\[redacted.*|.*xxxx.*|.*insert.*here.*|.*replace.*me.*|process\.env.*|password|secret|` +
		`passwd|token|test(ing)?.*|foo.*|bar.*|abc|string|bearer|basic|my[_-]?.*|the[_-].*|some[_-]?.*|.*\*\*\*.*)$`)
	tokenKinds = []struct {
		kind    string
		pattern *regexp.Regexp
	}{
		{"AWS access key", regexp.MustCompile(`\b(AKIA|ASIA)[0-9A-Z]{16}\b`)},
		{"GitHub token", regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})\b`)},
		{"Slack token", regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{20,}`)},
		{"Stripe live key", regexp.MustCompile(`\b[sr]k_live_[0-9A-Za-z]{20,}`)},
		{"Google API key", regexp.MustCompile(`\bAIza[0-9A-Za-z_\-]{35}\b`)},
		{"private key", regexp.MustCompile(`-----BEGIN ([A-Z]+ )?PRIVATE KEY-----(\\n|\\r|\s)+[A-Za-z0-9+/=]{20,}`)},
		{"Anthropic key", regexp.MustCompile(`\bsk-ant-[A-Za-z0-9_\-]{30,}`)},
		{"npm token", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}\b`)},
	}
	connection = regexp.MustCompile(`^[a-z][a-z0-9+.\-]*://[^:/@\s{}$<]+:([^@/\s{}$<%]{3,})@[^/\s{}$<]+`)
)

// SecretToken names the kind of credential that value carries when its form gives it away ("AWS access key"), or "".
func SecretToken(value string) string {
	if strings.Contains(value, "EXAMPLE") || strings.Contains(strings.ToLower(value), "xxxx") {
		return ""
	}
	for _, k := range tokenKinds {
		if k.pattern.MatchString(value) {
			return k.kind
		}
	}
	if m := connection.FindStringSubmatch(value); m != nil && !placeholder.MatchString(m[1]) && !strings.Contains(value, "@localhost") &&
		!strings.Contains(value, "@127.0.0.1") && !strings.Contains(value, "@example.") &&
		!OneOf(m[1], "pass", "pwd", "password", "user") {
		return "password in a connection address"
	}
	return ""
}

// Secret tells whether a constant of this name and value is a credential written into the source. It wants a name
// that says so and a value that is neither a placeholder, nor words, nor a name of something.
func Secret(name, value string) bool {
	name = strings.TrimLeft(strings.Trim(name, `"'`), "$@:")
	if !credentialName.MatchString(name) || aboutSecret.MatchString(name) {
		return false
	}
	v := strings.TrimSpace(value)
	if len(v) < 6 || len(v) > 512 || placeholder.MatchString(v) || strings.ContainsAny(v, " \t\n{}<>()") {
		return false
	}
	if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.Contains(v, "://") || strings.EqualFold(v, name) {
		return false
	}
	if strings.Contains(strings.ToLower(name), "pass") { // people choose passwords; most are words with a digit
		return strings.ContainsAny(v, "0123456789!@#$%^&*") && entropy(v) >= 2.3 && !identifierLike(v)
	}
	return strings.ContainsAny(v, "0123456789") && entropy(v) >= 3 && len(v) >= 12 && !identifierLike(v)
}

var identifier = regexp.MustCompile(`^([a-z]+[0-9]?[_.:\-])*[a-z]+[0-9]?$|^([A-Z]+[_.:\-])+[A-Z]+$|^[a-z]+([A-Z][a-z]+)+$`)

func identifierLike(v string) bool { return identifier.MatchString(v) }

// entropy is Shannon's entropy of the characters of s, in bits a character.
func entropy(s string) float64 {
	counts := map[rune]int{}
	n := 0
	for _, r := range s {
		counts[r]++
		n++
	}
	var h float64
	for _, c := range counts {
		q := float64(c) / float64(n)
		h -= q * math.Log2(q)
	}
	return h
}

// CheckSecrets is the Check of every language's hard-coded-secret rule: string constants given to names, fields, keys
// and keyword arguments that say credential, and strings whose form gives them away wherever they stand.
func CheckSecrets(p *Pass) {
	seen := func(value syntax.Node, name string) {
		if v, holes, ok := p.String(value); ok && !holes && Secret(name, v) {
			p.Report(value, "value of "+name)
		}
	}
	for kind, fields := range p.grammar.assigns {
		if kind == "for_statement" || kind == "for_in_clause" {
			continue
		}
		for _, n := range p.Nodes(kind) {
			for _, a := range p.split(n, fields) {
				value := a.Value
				if k := value.Kind(); (k == "expression_list" || k == "parenthesized_expression") && value.NumNamed() == 1 {
					value = value.NamedChild(0)
				}
				seen(value, lastWord(a.Target.Text()))
			}
		}
	}
	for _, n := range p.Nodes("pair", "keyword_argument", "public_field_definition", "field_definition", "array_element_initializer",
		"keyed_element", "const_spec", "const_element", "property_element") {
		key := n.ChildByField("key")
		if !key.Valid() {
			key = n.ChildByField("name")
		}
		if !key.Valid() && n.NumNamed() > 1 {
			key = n.NamedChild(0)
		}
		value := n.ChildByField("value")
		if !value.Valid() && n.NumNamed() > 1 {
			value = n.NamedChild(n.NumNamed() - 1)
		}
		for value.Valid() && (value.Kind() == "literal_element" || value.Kind() == "expression_list" ||
			value.Kind() == "property_initializer") && value.NumNamed() == 1 {
			value = value.NamedChild(0)
		}
		if key.Valid() && value.Valid() && !strings.ContainsAny(strings.Trim(key.Text(), ":"), ":/ ") {
			seen(value, lastWord(key.Text()))
		}
	}
	for _, kind := range p.grammar.strings {
		for _, n := range p.Nodes(kind) {
			if v, _, ok := p.String(n); ok && len(v) >= 16 && len(v) < 8192 {
				if kind := SecretToken(v); kind != "" {
					p.Report(n, kind)
				}
			}
		}
	}
}

func lastWord(target string) string {
	target = strings.TrimRight(target, `"']`)
	if i := strings.LastIndexAny(target, `."'>[:`); i >= 0 {
		target = target[i+1:]
	}
	return target
}
