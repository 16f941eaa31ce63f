package rule

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	secretWord = regexp.MustCompile(`_(tokens?|password|passwd|passphrase|secrets?|nonce|salt|otp|totp|(csrf|xsrf)_value|` +
		`session_?(id|key|token)|sess_?id|sid|api_?keys?|auth_?(code|key|id)|access_?(code|key)|login_?code|pin_?code|` +
		`(verif(y|ication)|reset|activation|confirm(ation)?|recovery|invite|invitation|security|one_time|two_factor|mfa)` +
		`_?(code|key|link|hash|pin)|remember_?me|remember_key|cvv|card_?(number|pin)|(encryption|private|signing|secret|aes|jwt)_?key)_`)
	cookieWord = regexp.MustCompile(`_((set|add)_cookie|cookies?)_`)
	cookieName = regexp.MustCompile(`_(session|sess|sid|auth|login|user|remember|token|csrf)_`)
	// Names under which random numbers and tokens of a text are no secrets.
	noSecret = regexp.MustCompile(`_(next|num|n|max|min|avg|count|total|tokens?_(per|left|used|id|ids|count|len|idx|index|type|list)|` +
		`tokenizer|tokenize|lexer|parser|vocab|corpus|bucket|boundary|color|colour|delay|jitter|backoff|retry|sleep|timeout|shuffle|` +
		`seed|mock|fake|dummy|example|demo|placeholder|benchmark|sort|index|position|temperature|dropout|weights?|animation|` +
		`price|score|latitude|longitude|idempotency|colors|opacity|width|height)_`)
	// Names under which a digest tells whether something changed, or where it is kept.
	noSecretDigest = regexp.MustCompile(`_(e_?tags?|idempotency|throttle|limiter|` +
		`cach(e|ed|ing)|check_?sums?|gr?avatars?|files?|file_?names?|paths?|urls?|uris?|` +
		`contents?|body|bodies|images?|photos?|blobs?|chunks?|thumb(nail)?s?|fingerprints?|dedup|duplicates?|buckets?|shards?|partitions?|` +
		`colou?rs?|uu_?ids?|guid|version|revision|git|commit|svn|assets?|bundles?|manifests?|download|artifact|archives?|integrity|` +
		`schema|sql|query|queries|template|html|css|js|script|json|id_for|digest_of|torrent|piece|packages?|stat|mtime|dir|directory|` +
		`memo|lock|etag|tags?|signature_of|feed|feeds|article|slug|bytes_of|column|table|index|node|nodes|ring|hash_?code|block|` +
		`websocket|sec|accept|handshake|known_hosts?|cert|certificate|thumbprint|spki|x509|key_?id|kid)_`)
	digestWord = regexp.MustCompile(`_(tokens?|passwords?|passwd|pwd|secrets?|signatures?|sign|signed|hmac|mac|session|sessions|auth|` +
		`authenticate|authorization|credentials?|otp|api_?keys?|licen[cs]e_?keys?|csrf|nonce|salt|salted|reset|activation|verification|` +
		`remember|login|pin|ssn|card|cvv|security)_`)
)

// SecretPurpose is the first of the names that says that a value must not be guessed: a token, a password, a session's id, a
// cookie that logs in. "" when none does.
func SecretPurpose(names []string) string {
	secret, cookie, login := "", false, ""
	for _, name := range names {
		w := Words(name)
		if noSecret.MatchString(w) {
			continue
		}
		if secret == "" && secretWord.MatchString(w) {
			secret = name
		}
		cookie = cookie || cookieWord.MatchString(w)
		if login == "" && cookieName.MatchString(w) {
			login = name
		}
	}
	if secret == "" && cookie {
		return login
	}
	return secret
}

// DigestPurpose is the first of the names that says that a digest protects something: a signature, a token, a credential. ""
// when none does; other is true when a name tells of another use, such as a cache's key or a file's checksum.
func DigestPurpose(names []string) (secret string, other bool) {
	for _, name := range names {
		w := Words(name)
		if noSecretDigest.MatchString(w) {
			return "", true
		}
		if secret == "" && digestWord.MatchString(w) {
			secret = name
		}
	}
	return secret, false
}

// ownSecret matches what is a secret by itself.
var ownSecret = regexp.MustCompile(`_(tokens?|passwords?|passwd|pwd|secrets?|credentials?|otp|api_?keys?|licen[cs]e_?keys?|csrf|nonce|` +
	`salt|salted|pin|ssn|card|cvv|session_id|sid|activation|reset)_`)

// otherDigest matches functions that use a digest as a protocol lays it down, or to tell contents apart.
var otherDigest = regexp.MustCompile(`(?i)gravatar|libravatar|e-?tag\b|if-none-match|cache_?key|check_?sum|content-md5|md5sum|sha1sum|` +
	`usedforsecurity|scramble|challenge|realm|ntlm|cram|mysql_native|258EAFA5|cnonce|\bqop\b|tpm|digest_?auth|http_?auth|` +
	`pwned|fingerprint|dedup|rehash|legacy|deprecated|\{s?sha\}|htpasswd|pkcs|` +
	`pbkdf1|evp_?bytes_?to_?key|proc-type`)

// ProtocolDigest tells whether the function around call makes its digests as a protocol lays them down.
func (p *Pass) ProtocolDigest(call Node) bool { return p.InProtocol() || p.ScopeHas(call, otherDigest) }

// InProtocol tells whether the file speaks a protocol that lays down weak digests and ciphers: there is nothing to choose.
func (p *Pass) InProtocol() bool { return oldProtocol.MatchString(p.Path) }

var oldProtocol = regexp.MustCompile(`(?i)ntlm|kerberos|(^|[/_-])smb|netlogon`)

// DigestSecret tells why a weak digest matters where call makes it: the name that says that it protects something, or that the
// function answers a request of the web. "" when nothing says so, or when a name tells of a use that a weak digest is good for.
func (p *Pass) DigestSecret(call Node) string {
	if p.Constant(p.Arg(call, 0)) && len(p.Args(call)) == 1 && p.Language == "php" || strings.HasSuffix(p.Arg(call, 0).Text(), "::class") {
		return "" // the digest of a text that is no secret
	}
	use := p.Purpose(call)
	for i, name := range use.To { // where everything is kept that belongs to a visit
		use.To[i] = strings.TrimPrefix(name, "$_SESSION")
	}
	near := slices.Concat(use.To, use.From)
	for _, a := range p.Args(call) {
		near = append(near, ofRequest.ReplaceAllString(a.Text(), ""))
	}
	fn := p.Function(call)
	if digestHelper.MatchString(p.functionName(fn)) { // whoever calls md5() knows what it is; what for, its calls say
		return ""
	}
	base, _, _ := strings.Cut(path.Base(p.Path), ".")
	around := []string{p.functionName(fn), p.Class(call).ChildByField("name").Text(), base}
	if p.deprecated(call) || p.ProtocolDigest(call) || otherDigest.MatchString(p.helped(fn)+strings.Join(around, " ")) || p.shortened(call) {
		return ""
	}
	secret, other := DigestPurpose(near)
	if secret != "" && !slices.Contains(use.To, secret) && !ownSecret.MatchString(Words(secret)) {
		secret = "" // what is digested only has to do with a secret
	}
	where, otherPlace := DigestPurpose(around)
	switch {
	case other || otherPlace:
		return ""
	case secret != "":
		return "used for " + secret
	case len(p.Args(call)) == 1 && mailAddress.MatchString(p.Arg(call, 0).Text()):
		return "" // everybody who knows the address can make any digest of it
	case where != "":
		return "in " + where
	case p.Language != "php" && fn.Valid() && Within(fn, func(n Node) bool { return p.UserInput(n) || p.handed(n) }):
		return "in a function that answers requests"
	}
	return ""
}

// mailAddress matches a mail address that is read from something: user.email, $this->user()->getEmailForVerification().
var mailAddress = regexp.MustCompile(`(?i)^[\w$]+(\(\))?((->|\.)\w+(\(\))?)*(->|\.)(get_?)?e_?mail\w*(\(\))?$`)

// deprecated tells whether the class around n says that nobody should use it any more: what is wrong with it is no news.
func (p *Pass) deprecated(n Node) bool {
	class := p.Class(n)
	if !class.Valid() {
		return false
	}
	head, _, _ := strings.Cut(class.Text(), "{")
	return strings.Contains(head, "@Deprecated") || strings.Contains(head, "[Obsolete")
}

// ofRequest are the parts of a request, whose names say nothing of what is taken from them.
var ofRequest = regexp.MustCompile(`(?i)\b(req|request|ctx|context|r)(\.request)?\.(query|body|params?|form|files?|json|data)\b`)

// shortened tells whether only a few letters of the digest are used: they name something.
func (p *Pass) shortened(call Node) bool {
	rest := p.Tree.Source()[call.End():]
	return fewLetters.Match(rest[:min(len(rest), 40)])
}

var fewLetters = regexp.MustCompile(`^(\.\w+\(\))?(\.(first|slice|substring|substr)\((0, ?)?[1-8]\)|\[(0?:|0, ?|0\.\.)[1-8]\])`)

// helped is the text of the class that a function of a few lines stands in: what it is for, its callers say.
func (p *Pass) helped(fn Node) string {
	if !fn.Valid() || fn.EndLine()-fn.Line() > 3 {
		return ""
	}
	return p.Class(fn).Text()
}

// handed tells whether n is a request as a whole that a call is given.
func (p *Pass) handed(n Node) bool {
	return p.IsName(n) && n.Text() == "request" && n.Parent().Is("argument_list", "arguments")
}

// DigestHelper tells whether call is of a function that its own name says makes a fast digest: md5(password), Sha256Hex(password).
func (p *Pass) DigestHelper(call Node) bool {
	return len(p.Args(call)) == 1 && digestHelper.MatchString(p.Method(call))
}

var digestHelper = regexp.MustCompile(`(?i)^(get|make|to|calc|compute|hash|create)?_?(md5|sha1|sha_?256|sha_?512)_?` +
	`(sum|hash|hex|string|encode|encrypt|digest|crypto|of)?(hex)?$`)

// ReportWeakDigests is what the rules on weak digests of all languages share: of the calls, those are reported that protect
// something, but none in a function that already hashes a password with one of hashed.
func (p *Pass) ReportWeakDigests(calls, hashed []Node) {
	for _, call := range calls {
		scope := p.Scope(call)
		if slices.ContainsFunc(hashed, func(h Node) bool { return p.Scope(h) == scope }) {
			continue
		}
		if why := p.DigestSecret(call); why != "" {
			p.Report(call, why)
		}
	}
}
