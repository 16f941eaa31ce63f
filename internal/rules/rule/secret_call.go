package rule

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// secretCall is a call that takes a password or a key: at a place among its arguments, by name, or as the key of an object that is
// its argument.
type secretCall struct {
	callee   *regexp.Regexp
	what     string
	at       int    // which argument, -1 for none
	keys     string // names of the argument, divided by blanks
	language string // where others have a call of this name, "" for any
}

var secretCalls = func() []secretCall {
	re := regexp.MustCompile
	return []secretCall{
		{re(`(?i)(^|[.$])(jwt|jsonwebtoken|jose)\.(sign|verify|encode|decode)$`), "signing key of a token", 1, "key", ""},
		{re(`^(URLSafeTimedSerializer|URLSafeSerializer|TimedJSONWebSignatureSerializer|` +
			`itsdangerous\.\w+)$`), "signing key", 0, "secret_key", "python"},
		{re(`(^|\.)(pymysql|MySQLdb|mysql|mariadb)\.connect$`), "password of a database", 2, "password passwd", "python"},
		{re(`(^|\.)(psycopg2?|mysql\.connector|asyncpg|aiomysql|pymssql|oracledb|cx_Oracle)\.(connect|create_pool|connection_pool)$`),
			"password of a database", -1, "password passwd", "python"},
		{re(`(^|\.)(generate_password_hash|make_password|set_password|hashpw|pbkdf2_sha256\.(hash|encrypt)|bcrypt\.(hash|encrypt)|` +
			`sha256_crypt\.(hash|encrypt)|argon2\.hash)$`), "password of an account", 0, "password", "python"},
		{re(`\.create_(super)?user$`), "password of an account", -1, "password", "python"},
		{re(`(^|\.)(session|expressSession|cookieSession|expressJwt)$`), "signing key of the session", -1, "secret", "javascript"},
		{re(`^(cookieParser|express\.cookieParser)$`), "signing key of cookies", 0, "", "javascript"},
		{re(`(^|\.)(createConnection|createPool|Sequelize|Pool|Client|connect)$`), "password of a database", -1, "password", "javascript"},
		{re(`(^|\.)\w*(User|Account|Admin)(\.(create|build|insertOne|findOrCreate))?$`), "password of an account", -1, "password",
			"javascript"},
		{re(`(^|\.)createTransport$`), "password of a mail account", -1, "pass", "javascript"},
		{re(`^CryptoJS\.\w+\.(encrypt|decrypt)$`), "key of a cipher", 1, "", "javascript"},
		{re(`(^|\.)(createHmac|createCipheriv|createCipher|createDecipher)$`), "key", 1, "", "javascript"},
		{re(`^(mysqli_connect|mysql_connect|mysqli|PDO|mysqli_real_connect)$`), "password of a database", 2, "", "php"},
		{re(`^(hash_hmac|openssl_encrypt|openssl_decrypt)$`), "key", 2, "", "php"},
		{re(`^DriverManager\.getConnection$`), "password of a database", 2, "", "java"},
		{re(`(^|\.)Algorithm\.HMAC(256|384|512)$|\.setSigningKey$|(^|\.)Keys\.hmacShaKeyFor$|` +
			`^SecretKeySpec$`), "signing key", 0, "", "java"},
		{re(`\.signWith$`), "signing key of a token", 1, "", "java"},
		{re(`(?i)(ds|datasource|config|hikari\w*|source)\.setPassword$`), "password of a database", 0, "", "java"},
		{re(`\.SignedString$|^sessions\.NewCookieStore$|^cookie\.NewStore$|^securecookie\.New$|^echojwt\.JWT$|^middleware\.JWT$`),
			"signing key", 0, "", "go"},
		{re(`^hmac\.New$|^jwtauth\.New$`), "key", 1, "", "go"},
		{re(`^aes\.NewCipher$`), "key of a cipher", 0, "", "go"},
		{re(`^Mysql2\.Client\.new$|^PG\.connect$|^PG\.Connection\.new$|` +
			`^http_basic_authenticate_with$`), "password", -1, "password", "ruby"},
	}
}()

var wasted = regexp.MustCompile(`(^|\.)(generate_password_hash|make_password|hashpw|hash)$`)

// secretArguments reports constants where a call wants a password or a key.
func (p *Pass) secretArguments() {
	known := map[string][]secretCall{} // by what is called
	for _, call := range append(p.Calls(), p.News()...) {
		if p.Language == "python" && wasted.MatchString(p.Callee(call)) && call.Parent().Is("expression_statement") {
			continue // a hash that nobody wants, so that an unknown name takes as long as a known one
		}
		name := p.Callee(call)
		which, ok := known[name]
		if !ok {
			which = Where(secretCalls, func(c secretCall) bool {
				return (c.language == "" || c.language == p.family()) && c.callee.MatchString(name)
			})
			known[name] = which
		}
		for _, c := range which {
			if c.at >= 0 {
				p.secretArgument(p.Arg(call, c.at), c.what)
			}
			for key := range strings.FieldsSeq(c.keys) {
				p.secretArgument(p.Keyword(call, key), c.what)
				for _, a := range p.Args(call) {
					if a.Kind() == "object" {
						p.secretArgument(p.objectValue(a, key, 2), c.what)
					}
				}
			}
		}
	}
}

// objectValue is the value of key in an object literal, or in one of its objects.
func (p *Pass) objectValue(object syntax.Node, key string, depth int) syntax.Node {
	for c := range object.NamedChildren() {
		value := c.ChildByField("value")
		switch {
		case c.Kind() != "pair":
		case strings.Trim(c.ChildByField("key").Text(), `"'`) == key:
			return value
		case value.Kind() == "object" && depth > 0:
			if v := p.objectValue(value, key, depth-1); v.Valid() {
				return v
			}
		}
	}
	return syntax.Node{}
}

// family is the language whose calls the file's are.
func (p *Pass) family() string {
	if p.Language == "typescript" || p.Language == "tsx" {
		return "javascript"
	}
	return p.Language
}

// secretArgument reports an argument that is a constant, or a variable of the file that is given one and nothing else.
func (p *Pass) secretArgument(n syntax.Node, what string) {
	if !n.Valid() || p.development(n) {
		return
	}
	at := p.literal(n)
	if !at.Valid() && p.IsName(n) {
		at = p.literal(p.Only(p.Scope(n), n))
		if !at.Valid() && p.Scope(n) != p.Tree.Root() {
			at = p.literal(p.Only(p.Tree.Root(), n))
		}
	}
	v, holes, ok := p.String(at)
	if !ok || holes || strings.TrimSpace(v) == "" || reference.MatchString(v) || strings.Contains(v, "BEGIN PUBLIC") {
		return
	}
	if strings.HasPrefix(what, "password") && unfilled.MatchString(v) {
		return
	}
	p.Report(at, what)
}

var (
	enteredName = regexp.MustCompile(`(?i)^(get)?(user|admin|input|entered|login|my|given|submitted)?_?(password|passwd|pwd|passcode|` +
		`passphrase|` +
		`pass|(admin_?|api_?|secret_?)key|secret|auth_?token)(input|entered)?$`)
	userName = regexp.MustCompile(`(?i)(user_?name|user|login|e?mail|admin|uname)\b['")\]]*(\.data|\.value)?\s*(={2,3}|\.equals\()|` +
		`\.equals\((user_?name|user|login|email|uname)\)`)
	formField = regexp.MustCompile(`(\.data|\.value|\.text|\(\)|\.trim\(\)|\.strip\(\))+$`)
)

// schemeMark matches what stands in place of a password to say how somebody logs in: "bearer", "x-oauth-basic", "private-token".
var schemeMark = regexp.MustCompile(`(?i)^(bearer|basic|digest|custom-headers|x-[a-z-]+|([a-z]+-)*(oauth2?|token)(-[a-z]+)*)$`)

// secretComparisons reports what somebody enters being compared with a constant.
func (p *Pass) secretComparisons() {
	for _, c := range p.Comparisons() {
		left, right := p.literal(c.Left), c.Right
		if !left.Valid() {
			left, right = p.literal(c.Right), c.Left
		}
		v, holes, ok := p.String(left)
		entered := lastWord(formField.ReplaceAllString(right.Text(), ""))
		if !ok || holes || p.literal(right).Valid() || !enteredName.MatchString(entered) ||
			strings.HasPrefix(right.Text(), "typeof ") {
			continue
		}
		beside := c.Node.Parent() // user == "admin" and password == "admin"
		if OneOf(beside.Kind(), "parenthesized_expression") {
			beside = beside.Parent()
		}
		both := OneOf(beside.Kind(), "boolean_operator", "binary_expression", "binary") && beside.End()-beside.Start() < longestText &&
			userName.MatchString(beside.Text())
		weak := len(v) < 4 || emptyValue.MatchString(v) || identifierLike(v) && redact.Stock(v)
		unset := unfilled.MatchString(v) || strings.HasPrefix(strings.ToLower(v), "change")
		if schemeMark.MatchString(v) || !filled(v) && !(both && v == "password") || weak && !both || unset || p.development(c.Node) {
			continue
		}
		p.Report(c.Node, FirstLine(right)+" is compared with a constant")
	}
}
