package redact

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// hostile are texts of one MiB that are made to cost time: keywords without end, quotes that never close, chains in which each secret
// uncovers the next.
func hostile() map[string]string {
	fill := func(s string) string { return strings.Repeat(s, 1<<20/len(s)+1)[:1<<20] }
	all := map[string]string{
		"chain":     fill("SG." + rnd(alnum, 22) + "." + rnd(alnum, 43)),
		"secrets":   fill("API_TOKEN=" + rnd(alnum, 32) + "\n"),
		"one line":  strings.Repeat("x", 1<<20),
		"line ends": strings.Repeat("\n", 1<<20),
	}
	for _, unit := range []string{
		"password", "password=", "password:", "password: ", "password=\"", "password='x", "password ", "-password", "token.", "pass", "pwd=", "pw",
		"password=x;", ";password=x", "?password=x", "&token=", "--password ", "--password=", "<password>", "<password ", "<password><![CDATA[",
		"name: password\n", "name=\"password\" ", "\"name\":\"token\",", "<key>password</key>", "variable \"password\" {", "password: |\n", "password: >\n  ",
		"kind: Secret\ndata:\n", "---\nkind: Secret\n", "data:\n  a: bbbbb\n", "://a:", "://a:b@", "://:", "@tcp(", "curl -u a:", "curl -u ", " -p", "mysql -p",
		"pass:", "%", "chpasswd", "a:b | chpasswd", "Bearer ", "Authorization: ", "Basic YTpi", "\"auth\":\"", "eyJ", "eyJaaaaaaaaaaaa.", "-----BEGIN PRIVATE KEY-----",
		"-----BEGIN ", "LS0tLS1CRUdJTi", "Private-Lines: 1\n", "identified by '", "set password for ", "MTA0", "MTA0.", ":AA", "1234567890:AA", "sig=", "key=",
		"jdbc:oracle:thin:a/", "getConnection(", "auth=(", "htpasswd -b a ", "```\n", "```yaml\n", "=== FILE: a.yml (lines 1-2 of 2) ===\n", "=== ", "=== FILE: ",
		"[REDACTED:", "[REDACTED:secret]", "]", "a::b::", "aws_secret_access_key ", "secret: ${", "{password: ", "password: 'a\\", "ghp_", "AKIA", "-us1", ".atlasv1.",
	} {
		all[unit] = fill(unit)
	}
	return all
}

// most is far above what a mebibyte takes (a tenth of a second to a second) and far below what quadratic work would.
const most = 20 * time.Second

func TestHostileTextsTakeLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of work")
	}
	r := New()
	for what, text := range hostile() {
		for _, f := range []format{code, plain, yaml, ini, shell, xml, json, pgpass} {
			begin := time.Now()
			got, _ := r.redact(text, f)
			if took := time.Since(begin); took > most {
				t.Errorf("%q as format %d took %v", what, f, took)
			} else if took > time.Second {
				t.Logf("%q as format %d took %v", what, f, took)
			}
			if strings.Count(got, "\n") != strings.Count(text, "\n") {
				t.Errorf("%q as format %d: lines changed", what, f)
			}
		}
	}
	if _, n := r.Redact(fmt.Sprint(hostile()["=== FILE: "])); n != 0 {
		t.Error("a secret where there is none")
	}
}
