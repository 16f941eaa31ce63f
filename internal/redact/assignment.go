package redact

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// secretKeywords are the ends of names that hold secrets. The list is spelled as
// names are: api_key, apiKey, api-key.
func secretKeywords() []string {
	return []string{
		"password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "api-key", "accesskey", "access_key",
		"privatekey", "private_key", "authkey", "auth_key", "signing_key", "signingkey", "encryption_key", "encryptionkey",
	}
}

// settingKeywords are those of settings in configuration: passwords have more names there, and keys too.
func settingKeywords() []string {
	return append(secretKeywords(), "pass", "pwd", "pw", "psk", "passcode", "bindpw", "rootpw", "masterauth", "clear-text", "credential",
		"_key", "-key", ".key", "accountkey",
		"sharedkey", "masterkey", "sessionkey", "secretkey", "authkey", "validationkey", "decryptionkey", "appkey", "serverkey",
		"servicekey", "storagekey", "consumerkey", "webhookkey", "cryptokey", "hmackey", "jwtkey", "licensekey", "deploykey", "salt")
}

// discordKeywords are the first bytes of base64 of a number, by which the tokens of bots begin.
func discordKeywords() []string {
	var all []string
	for _, second := range "dtjz" {
		for _, third := range "aeimquycgk" {
			for _, first := range "mno" {
				all = append(all, string([]rune{first, second, third}))
			}
		}
	}
	return all
}

// dotted looks for the first dot of a Discord token.
func dotted(rest string) bool {
	i := strings.IndexByte(rest[:min(len(rest), 26)], '.')
	return i >= 20
}

// telegram finds a bot's token around ":AA".
func telegram(text string, start, end int, _ format) (int, int) {
	from := start
	for from > 0 && start-from < 11 && text[from-1] >= '0' && text[from-1] <= '9' {
		from--
	}
	to := end
	for to < len(text) && to-end < 34 && (isWord(text[to]) || text[to] == '-') {
		to++
	}
	if start-from < 8 || start-from > 10 || to-end != 33 || text[start:end] != ":AA" || !random(text[from:to], "") {
		return 0, 0
	}
	return from, to
}

// driverPassword finds the password of user:password@tcp(host).
func driverPassword(text string, start, _ int, _ format) (int, int) {
	before, _ := lineBefore(text, start)
	i := strings.LastIndexAny(before, " \t\"'`=")
	user, password, ok := strings.Cut(before[i+1:], ":")
	if !ok || user == "" || strings.ContainsAny(user, "/{}()") || len(password) < 3 || !urlPassword(password, "") {
		return 0, 0
	}
	return start - len(password), start
}

// assignment is a name, an assignment and a value: quoted, or for names in
// capitals (environment files) bare up to the end of the line.
const assignment = `^(?:` +
	`[A-Za-z][\w.-]{4,60}["'\]]{0,2}[ \t]{0,8}(?::[ \t]{0,2}[a-z]{1,10}[ \t]{0,2}=|(?i:string)[ \t]{1,4}=|:=|=>|\|\|=|\?\?=|=|:)` +
	`[ \t]{0,8}(?:[\w.]{1,60}[ \t]{0,2}(?:\|\||\?\?|or )[ \t]{0,2})?[bru]{0,2}["'` + "`" + `]([^"'` +
	"`" + `\s\\]{8,200})["'` + "`" + `]` +
	`|[A-Z_]{5,40}=([^"'` + "`" + `\s\\$<({]{8,200})(?:\r?\n|$))`

// assignSign looks for the sign behind the rest of the name.
func assignSign(rest string) bool {
	i := 0
	for i < len(rest) && i < 64 && (isWord(rest[i]) || rest[i] == '.' || rest[i] == '-') {
		i++
	}
	for i < len(rest) && i < 80 && strings.IndexByte("\"'] \t", rest[i]) >= 0 {
		i++
	}
	if at := min(i, len(rest)); len(rest)-at > 6 && strings.EqualFold(rest[at:at+6], "string") {
		return true
	}
	if i >= len(rest) || strings.IndexByte("=:|?", rest[i]) < 0 {
		return false
	}
	tight := i == 0 || !isBlank(rest[i-1])
	value := strings.TrimLeft(rest[i:min(len(rest), i+100)], "=:|?>")
	blanks := strings.TrimLeft(value, " \t")
	if blanks == "" || tight && len(blanks) == len(value) {
		return true
	}
	value, _, _ = strings.Cut(blanks, "\n")
	return isQuote(blanks[0]) || len(blanks) > 2 && (isQuote(blanks[1]) || isQuote(blanks[2])) ||
		rest[i] == ':' && strings.Contains(value, "=") || strings.Contains(value, "||") || strings.Contains(value, "??") ||
		strings.Contains(value, " or ")
}

// quoteNear looks for the quote before the value of a statement.
func quoteNear(rest string) bool { return strings.ContainsAny(rest[:min(len(rest), 140)], "\"'") }

// atSign looks for the end of user and password in an address.
func atSign(rest string) bool {
	for i := 0; i < len(rest) && i < 220; i++ {
		switch rest[i] {
		case '@':
			return true
		case ' ', '\t', '\n', '\r', '/', '"', '\'', '`', '<', '>':
			return false
		}
	}
	return false
}

// nameEnds are what follows the keyword in names that hold something about a
// secret instead of one.
var nameEnds = list(`name id url uri path file dir type field header format regex pattern prefix suffix length len size label hint error
	err message msg text title class endpoint expiry expires expire expiration ttl timeout param arg version env var input selector column
	attribute attr kind scope policy strategy hash digest algorithm alg count limit status state store ref arn alias provider
	page form template`)

// aboutSecret says whether a name ends in one of them, or in its plural.
func aboutSecret(name string) bool {
	low := strings.ToLower(name[max(0, len(name)-12):])
	one := strings.TrimSuffix(low, "s")
	return slices.ContainsFunc(nameEnds, func(w string) bool { return strings.HasSuffix(low, w) || strings.HasSuffix(one, w) })
}

var leadingName = pattern.New(`^[\w.-]*`)
