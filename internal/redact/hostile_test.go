package redact

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// size of the hostile texts: REDACT_HOSTILE=1048576 go test ./internal/redact -run Hostile -v takes other ones, and some minutes.
const size = 64 << 10

// hostile are texts that are made to cost time: keywords without end, quotes that never close, chains in which each secret
// uncovers the next.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1)[:size] }
	all := map[string]string{
		"chain":     fill("SG." + rnd(alnum, 22) + "." + rnd(alnum, 43)),
		"secrets":   fill("API_TOKEN=" + rnd(alnum, 32) + "\n"),
		"one line":  fill("x"),
		"line ends": fill("\n"),
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

// most is far above what 64 KiB take (some hundredths of a second) and far below what quadratic work would.
const most = 10 * time.Second

func TestHostileTextsTakeLinearTime(t *testing.T) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("REDACT_HOSTILE"), strconv.Itoa(size)))
	if err != nil {
		t.Fatal(err)
	}
	r := New()
	var slowest time.Duration
	for what, text := range hostile(n) {
		for _, f := range []format{plain, code, yaml, shell} {
			begin := time.Now()
			got, _ := r.redact(text, f)
			took := time.Since(begin)
			if took > most*time.Duration(n/size) {
				t.Errorf("%q as format %d took %v", what, f, took)
			}
			if slowest = max(slowest, took); slowest == took {
				t.Logf("%q as format %d took %v", what, f, took)
			}
			if strings.Count(got, "\n") != strings.Count(text, "\n") {
				t.Errorf("%q as format %d: lines changed", what, f)
			}
		}
	}
}
