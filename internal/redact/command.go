package redact

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// command describes an option whose value is a secret only beside its program.
type command struct {
	programs []string       // one of which stands before the option in the line
	re       *regexp.Regexp // from the option on; its first group is the secret
}

// commands are keyed by their option, which is the rule's keyword.
var commands = map[string]command{
	" -p":         {programs: []string{"sshpass", "mysql", "mariadb", "docker login", "podman login", "helm registry", "az login", "oc login", "htpasswd", "psql", "mongo", "influx", "rabbitmqadmin", "sqlcmd", "bcp"}, re: passwordBehind(` -[pP]( ?)`)},
	" -u ":        {programs: []string{"curl", "http", "wget", "lftp"}, re: userAndPassword(` -[uU] `)},
	" --user ":    {programs: []string{"curl", "wget"}, re: userAndPassword(` --user `)},
	" --user=":    {programs: []string{"curl", "wget"}, re: userAndPassword(` --user=`)},
	"proxy-user ": {programs: []string{"curl"}, re: userAndPassword(`(?i:proxy-user )`)},
	" -a ":        {programs: []string{"redis-cli", "http"}, re: passwordBehind(` -a(?: [^\s:'"]{1,60}:| )`)},
	" -w ":        {programs: []string{"ldap"}, re: passwordBehind(` -w `)},
	"pass:":       {programs: []string{"-pass", "passin", "passout"}, re: passwordBehind(`pass:`)},
	"%":           {programs: []string{"smbclient", "smbmap", "rpcclient", "mount.cifs", "net rpc"}, re: passwordBehind(`%`)},
}

func passwordBehind(option string) *regexp.Regexp {
	return regexp.MustCompile(`^` + strings.Replace(option, "( ?)", " ?", 1) + `(?:"([^"\n]{4,128})"|'([^'\n]{4,128})'|([^\s"'|;&<>()]{4,` +
		`128}))`)
}

func userAndPassword(option string) *regexp.Regexp {
	return regexp.MustCompile(`^` + option + `\s?\\?["']?[^\s:'"$]{1,80}:([^\s'"\\]{3,128})`)
}

func commandKeywords() []string {
	var all []string
	for k := range commands {
		all = append(all, k)
	}
	return all
}

// commandOption finds the secret of an option.
func commandOption(text string, start, end int, f format) (int, int) {
	before, _ := lineBefore(text, start)
	if before == "" {
		return 0, 0
	}
	c := commands[strings.ToLower(text[start:end])]
	beside := false
	for _, p := range c.programs {
		beside = beside || strings.Contains(before, p)
	}
	if !beside {
		return 0, 0
	}
	m := c.re.FindStringSubmatchIndex(text[start:min(len(text), start+300)])
	for g := 2; g+1 < len(m); g += 2 {
		if m[g] < 0 {
			continue
		}
		v := text[start+m[g] : start+m[g+1]]
		l := medium
		if f&config != 0 && f&labels == 0 {
			l = loose
		}
		if len(v) >= 4 && !reference(v, medium) && !plainNumber.MatchString(v) && passwordLike(v, l, f) {
			return start + m[g], start + m[g+1]
		}
	}
	return 0, 0
}

var plainNumber = pattern.New(`^[\d:.]+$`)

// chpasswd finds the password in echo "user:password" | chpasswd.
func chpasswd(text string, start, _ int, _ format) (int, int) {
	before, _ := lineBefore(text, start)
	m := piped.FindStringSubmatchIndex(before)
	if m == nil {
		return 0, 0
	}
	from, to := start-len(before)+m[2], start-len(before)+m[3]
	if v := text[from:to]; len(v) < 4 || reference(v, medium) || !passwordLike(v, loose, shell) {
		return 0, 0
	}
	return from, to
}

var piped = pattern.New(`[\s"'][\w.-]{1,40}:([^\s:'"|]{4,128})["']?\s*\|\s*(?:sudo\s+)?(?:\S*/)?$`)

// basic judges what follows "Basic" in an Authorization header: base64 of user and password.
func basic(s string) bool {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		raw, err = base64.RawStdEncoding.DecodeString(s)
	}
	_, password, ok := strings.Cut(string(raw), ":")
	return err == nil && ok && printable(string(raw)) && len(password) >= 4 && !reference(password, medium) && !Stock(password)
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// dockerAuth judges the auth of a registry, base64 of user and password.
func dockerAuth(s, _ string) bool { return basic(s) }

// encodedKey judges base64 of a PEM file, as Kubernetes and cloud consoles give them.
func encodedKey(s, _ string) bool {
	raw, err := base64.StdEncoding.DecodeString(s[:min(len(s), 64)&^3])
	return err == nil && strings.Contains(string(raw), "PRIVATE KEY")
}
