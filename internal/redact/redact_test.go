package redact

import (
	"encoding/base64"
	"fmt"
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	alnum  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	hex    = "0123456789abcdef"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	bech32 = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"
)

// rnd makes n random characters: no sample stands in this file as it is, so that
// secret scanners leave the repository in peace.
func rnd(alphabet string, n int) string {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(len(alphabet))))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}

type samples struct {
	yes []string // each holds exactly one secret of the kind, between « and »
	no  []string // hold none of any kind
}

func table() map[string]samples {
	pem := func(label, end string) string {
		return "-----BEGIN " + label + "-----\n" + rnd(alnum, 64) + "\n" + rnd(alnum, 63) + "\n" + rnd(alnum, 40) + "==\n" + end
	}
	return map[string]samples{
		"private-key": {
			[]string{"key = '''\n«" + pem("RSA PRIVATE KEY", "-----END RSA PRIVATE KEY-----") + "»\n'''", "«" + pem("PRIVATE KEY", "") + "»x = 1\n",
				`k = "«` + strings.ReplaceAll(pem("EC PRIVATE KEY", "-----END EC PRIVATE KEY-----"), "\n", `\n`) + `»"`},
			[]string{pem("PUBLIC KEY", "-----END PUBLIC KEY-----"), pem("CERTIFICATE", ""), "if strings.HasPrefix(s, \"-----BEGIN RSA PRIVATE KEY-----\") {\n\treturn parse(s, strings.Index(s, \"x\"), and, a, lot, more, of, code, that, goes, on)\n}\nend := \"-----END RSA PRIVATE KEY-----\""}},
		"aws-access-key": {[]string{"id = «AKIA" + rnd(upper, 16) + "»", "«ASIA" + rnd(upper, 16) + "»:x"}, []string{"AKIA" + "IOSFODNN7EXAMPLE", "AKIA" + strings.Repeat("A", 16), "xAKIA" + rnd(upper, 16)}},
		"aws-secret-key": {[]string{"aws_secret_access_key = «" + rnd(alnum, 40) + "»\n", `SecretAccessKey: "«` + rnd(alnum+"/+", 40) + `»",`},
			[]string{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY", "aws_secret_access_key = os.environ[key]"}},
		"github-token": {[]string{"«ghp_" + rnd(alnum, 36) + "»", "https://«ghp_" + rnd(alnum, 40) + "»@github.com/a/b",
			"https://x:«gho_" + rnd(alnum, 36) + "»@github.com/a/b", "«github_pat_" + rnd(alnum, 22) + "_" + rnd(alnum, 59) + "»"},
			[]string{"ghp_" + strings.Repeat("x", 36), "ghp_short", "github_pat_name"}},
		"gitlab-token":        {[]string{"«glpat-" + rnd(alnum, 20) + "»"}, []string{"glpat-xxxxxxxxxxxxxxxxxxxx", "glpat-"}},
		"slack-token":         {[]string{"«xoxb-" + rnd("0123456789", 12) + "-" + rnd(alnum, 24) + "»"}, []string{"xoxb-your-token", "xoxp-"}},
		"slack-webhook":       {[]string{"https://hooks.slack.com/services/«T" + rnd(upper, 9) + "/B" + rnd(upper, 9) + "/" + rnd(alnum, 24) + "»"}, []string{"https://hooks.slack.com/services/T00/B00/XXX"}},
		"discord-webhook":     {[]string{"https://discord.com/api/webhooks/123456789012345678/«" + rnd(alnum, 68) + "»"}, []string{"https://discord.com/api/webhooks/{id}/{token}"}},
		"stripe-key":          {[]string{"«sk_live_" + rnd(alnum, 24) + "»", "«rk_test_" + rnd(alnum, 99) + "»", "«whsec_" + rnd(alnum, 32) + "»"}, []string{"pk_live_" + rnd(alnum, 24), "sk_test_...", "sk_live_"}},
		"google-api-key":      {[]string{"?key=«AIza" + rnd(alnum, 35) + "»&x"}, []string{"AIza" + rnd(alnum, 34), "AIza" + rnd(alnum, 36)}},
		"google-oauth-secret": {[]string{"«GOCSPX-" + rnd(alnum, 28) + "»"}, []string{"GOCSPX-your-secret-goes-here-please"}},
		"anthropic-key":       {[]string{"«sk-ant-api03-" + rnd(alnum+"_-", 93) + "»"}, []string{"sk-ant-api03-...", "sk-ant-..."}},
		"openai-key":          {[]string{"«sk-" + rnd(alnum, 48) + "»", "«sk-proj-" + rnd(alnum+"_-", 74) + "»", "«sk-or-v1-" + rnd(hex, 64) + "»"}, []string{"sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "task-" + rnd(alnum, 48), "sk-learn", "class=\"sk-cube-grid\""}},
		"huggingface-token":   {[]string{"«hf_" + rnd(alnum, 34) + "»"}, []string{"hf_hub_download", "hf_" + rnd(alnum, 10)}},
		"jwt":                 {[]string{"«eyJ" + rnd(alnum, 33) + ".eyJ" + rnd(alnum, 60) + "." + rnd(alnum, 43) + "»"}, []string{"eyJhbGciOi", "eyJ" + rnd(alnum, 33) + "." + rnd(alnum, 60)}},
		"npm-token":           {[]string{"_authToken=«npm_" + rnd(alnum, 36) + "»"}, []string{"npm_config_registry", "npm_package_devDependencies_typescript1"}},
		"pypi-token":          {[]string{"«pypi-AgEIcHlwaS5vcmc" + rnd(alnum, 120) + "»"}, []string{"pypi-agent"}},
		"rubygems-token":      {[]string{"«rubygems_" + rnd(hex, 48) + "»"}, []string{"rubygems_api_key"}},
		"sendgrid-key":        {[]string{"«SG." + rnd(alnum, 22) + "." + rnd(alnum, 43) + "»"}, []string{"SG.your_key", "msg.send"}},
		"twilio-key":          {[]string{"«SK" + rnd(hex, 32) + "»"}, []string{"ASK" + rnd(hex, 32), "skip", "SK" + strings.Repeat("0", 32)}},
		"mailgun-key":         {[]string{"«key-" + rnd(hex, 32) + "»"}, []string{"key-value-store"}},
		"azure-storage-key":   {[]string{"AccountName=a;AccountKey=«" + rnd(alnum, 86) + "==»;Endpoint"}, []string{"AccountKey=${KEY}"}},
		"azure-client-secret": {[]string{"x «" + rnd(alnum, 3) + "8Q~" + rnd(alnum, 34) + "»"}, []string{"faq~", "abc8Q~short"}},
		"digitalocean-token":  {[]string{"«dop_v1_" + rnd(hex, 64) + "»"}, []string{"dop_v1_" + rnd(hex, 63)}},
		"databricks-token":    {[]string{"«dapi" + rnd(hex, 32) + "»"}, []string{"dapi" + rnd(hex, 31), "soapapi" + rnd(hex, 32)}},
		"docker-token":        {[]string{"«dckr_pat_" + rnd(alnum, 27) + "»"}, []string{"dckr_pat_"}},
		"grafana-token":       {[]string{"«glsa_" + rnd(alnum, 32) + "_" + rnd(hex, 8) + "»"}, []string{"glsa_x"}},
		"shopify-token":       {[]string{"«shpat_" + rnd(hex, 32) + "»"}, []string{"shpat_" + strings.Repeat("0", 32)}},
		"vault-token":         {[]string{"«hvs." + rnd(alnum, 24) + "»"}, []string{"hvs.get_something_long_and_wordy"}},
		"linear-key":          {[]string{"«lin_api_" + rnd(alnum, 40) + "»"}, []string{"lin_api_key"}},
		"telegram-token":      {[]string{"bot«1234509876:AA" + rnd(alnum, 33) + "»"}, []string{"time 12:AAA"}},
		"age-secret-key":      {[]string{"«AGE-SECRET-KEY-1" + rnd(bech32, 58) + "»"}, []string{"AGE-SECRET-KEY-1..."}},
		"discord-token": {[]string{"bot.run('«MTA0" + rnd(alnum, 22) + "." + rnd(alnum, 6) + "." + rnd(alnum+"_-", 37) + "a»')"},
			[]string{"MTA0" + rnd(alnum, 22) + ".com.example", "nti." + rnd(alnum, 30)}},
		"provider-token": {[]string{"«figd_" + rnd(alnum, 40) + "»", "«gsk_" + rnd(alnum, 52) + "»", "«" + rnd(hex, 32) + "-us14»",
			"«ntn_" + rnd(alnum, 46) + "»"},
			[]string{"figd_token", "gsk_" + rnd(alnum, 20), "x-us14", "ntn_" + strings.Repeat("x", 46)}},
		"azure-sas":     {[]string{"?sv=2024&sig=«" + rnd(alnum, 43) + "%3D»&x"}, []string{"sig=verify", "sig=" + strings.Repeat("x", 43) + "="}},
		"registry-auth": {[]string{`{"auths":{"h":{"auth":"«` + base64.StdEncoding.EncodeToString([]byte("bob:"+rnd(alnum, 12))) + `»"}}}`}, []string{`"auth": "basic"`, `"auth":"dXNlcjpwYXNzd29yZA=="`}},
		"url-password": {[]string{"postgres://app:«" + rnd(alnum, 12) + "»@db.internal:5432/x", "redis://:«" + rnd(alnum, 9) + "»@h",
			"https://bob:«t0pS3cr%21t»@example.com"},
			[]string{"postgres://user:password@localhost/db", "https://${USER}:${PASS}@host", "http://example.com:8080/a@b", "mysql://root:%s@tcp", "git clone https://github.com/a/b", "http://u:{pw}@h"}},
		"authorization": {[]string{"Authorization: Bearer «" + rnd(alnum, 40) + "»", "-H 'authorization: Basic «" + rnd(alnum, 30) + "==»'"},
			[]string{"Authorization: Bearer $TOKEN", "Bearer authentication_is_required_here", "Basic understanding", "Authorization: Bearer YOUR_TOKEN_GOES_HERE_123"}},
		"secret": {
			[]string{`password = "«` + rnd(alnum, 12) + `»"`, `"db_password": '«Summer2024!»'`, "API_KEY=«" + rnd(alnum, 24) + "»\n",
				`const apiKey: string = "«` + rnd(hex, 32) + `»";`,
				`client_secret => '«` + rnd(alnum, 20) + `»'`, `config["SECRET_KEY"] = b"«` + rnd(alnum+"!@#%^&*-_", 50) + `»"`, `auth.token := "«` + rnd(alnum, 32) + `»"`,
				"aws_secret_access_key = «" + rnd(alnum, 41) + "»", "db.password=«" + rnd(alnum, 10) + "»\n"},
			[]string{`password = "changeme123"`, `password = os.environ["DB_PASSWORD"]`, `password = "${DB_PASSWORD_2}"`,
				`token_url = "https://x.example/oauth2/token"`, `secret_name = "prod/db-9x8/q7w2e1"`,
				`password = "password1"`, `token = "refresh_token"`, `"password": "my-service-v2"`, `passwordField = "input[name=pass1]"`, `token: "<YOUR_TOKEN_1>"`, `if password == "":`, `password = getpass("Pw 12345678: ")`,
				`SECRET_KEY = config.get('a1b2c3d4e5')`, `token = "aaaaaaaaaaaaaaaa1"`, `secret: "[REDACTED:jwt]"`, `TOKEN_LENGTH=32`, `passwordHash = "5f4dcc3b5aa765d61d8327deb882cf99"`, `api_key="your-api-key-1"`, "PASSWORD=$OTHER_VALUE_1\n"}},
	}
}

func TestKinds(t *testing.T) {
	r := New()
	tab := table()
	for _, kind := range r.Kinds() {
		if len(tab[kind].yes) == 0 || len(tab[kind].no) == 0 {
			t.Errorf("%s lacks samples", kind)
		}
	}
	for kind, s := range tab {
		t.Run(kind, func(t *testing.T) {
			for _, sample := range s.yes {
				before, rest, _ := strings.Cut(sample, "«")
				secret, after, ok := strings.Cut(rest, "»")
				if !ok {
					t.Fatalf("sample %q has no marks", sample)
				}
				want := before + "[REDACTED:" + kind + "]" + strings.Repeat("\n", strings.Count(secret, "\n")) + after
				got, n := r.Redact(before + secret + after)
				if got != want || n != 1 {
					t.Errorf("%d found\n got %q\nwant %q", n, got, want)
				}
			}
			for _, sample := range s.no {
				if got, n := r.Redact(sample); got != sample || n != 0 {
					t.Errorf("%q became %q", sample, got)
				}
			}
		})
	}
}

func TestSeveralInOneText(t *testing.T) {
	tok := "ghp_" + rnd(alnum, 36)
	text := "a = \"" + tok + "\"\r\ntoken = '" + tok + "'\n\nAKIA" + rnd(upper, 16) + ",AKIA" + rnd(upper, 16)
	got, n := New().Redact(text)
	want := "a = \"[REDACTED:github-token]\"\r\ntoken = '[REDACTED:github-token]'\n\n[REDACTED:aws-access-key],[REDACTED:aws-access-key]"
	if got != want || n != 4 {
		t.Errorf("%d: %q", n, got)
	}
}

// TestStandardLibrary holds the rules to precision: the Go sources hold test keys
// and no credentials.
func TestStandardLibrary(t *testing.T) {
	r := New()
	bytes, found := 0, map[string]int{}
	for _, dir := range []string{"net", "crypto/tls", "encoding", "go", "strings", "os", "database"} {
		root := filepath.Join(build.Default.GOROOT, "src", dir)
		_ = filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") {
				return nil
			}
			b, err := os.ReadFile(p)
			if err != nil {
				return nil
			}
			bytes += len(b)
			got, n := r.Redact(string(b))
			if n > 0 {
				rel, _ := filepath.Rel(root, p)
				for line := range strings.Lines(got) {
					if i := strings.Index(line, mark); i >= 0 {
						kind, _, _ := strings.Cut(line[i+len(mark):], "]")
						found[kind]++
						t.Logf("%s/%s: %q", dir, rel, line)
					}
				}
			}
			return nil
		})
	}
	if bytes == 0 {
		t.Skip("no Go sources here")
	}
	for kind, n := range found {
		if kind != "private-key" && kind != "url-password" && kind != "authorization" && n > 3 {
			t.Errorf("%d of kind %s in %d bytes", n, kind, bytes)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range table() {
		for _, sample := range append(s.yes, s.no...) {
			f.Add("", strings.NewReplacer("«", "", "»", "").Replace(sample))
		}
	}
	for _, e := range readCorpus(f, 0) {
		f.Add(e.file, e.text)
	}
	f.Add("", "AKIA"+rnd(upper, 16)+"AKIA"+rnd(upper, 16))
	f.Add("a.yml", "password = 'eyJ"+rnd(alnum, 20)+".eyJ\xff'")
	r := New()
	f.Fuzz(func(t *testing.T, name, text string) {
		redact := func(text string) (string, int) { return r.RedactFile(name, text) }
		if name == "" {
			redact = r.Redact
		}
		once, n := redact(text)
		if strings.Count(once, "\n") != strings.Count(text, "\n") {
			t.Fatalf("line count changed: %q -> %q", text, once)
		}
		if n == 0 && once != text {
			t.Fatalf("changed without a secret: %q -> %q", text, once)
		}
		if twice, m := redact(once); twice != once || m != 0 {
			t.Fatalf("not idempotent: %q -> %q -> %q", text, once, twice)
		}
		if utf8.ValidString(text) && !utf8.ValidString(once) {
			t.Fatalf("broke UTF-8: %q -> %q", text, once)
		}
	})
}

func BenchmarkRedact(b *testing.B) {
	var code, dense strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&code, "\tif err := s.client.Do(ctx, %d); err != nil { // retry until the token bucket has room\n", i)
		fmt.Fprintf(&dense, "password = tokens[%d] + secret_key; url = \"https://user@h/\"; task sk-\n", i)
	}
	r := New()
	for _, bc := range []struct{ name, text string }{{"code", code.String()}, {"keywords everywhere", dense.String()},
		{"secrets everywhere", strings.Repeat("k = ghp_"+rnd(alnum, 36)+"\n", 5000)}} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(bc.text)))
			b.ReportAllocs()
			for b.Loop() {
				r.Redact(bc.text)
			}
		})
	}
}

// A place is told by its line, also behind a secret of several lines, and a mark that stands in the text is none.
func TestPlaces(t *testing.T) {
	r := New()
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA7bq9Z3vLw2mN8pR4tY6uX1cV5bN0mQwErTyUiOpAsDfGhJkL\n", 4) +
		"-----END RSA PRIVATE KEY-----\n"
	text := "# [REDACTED:password]\n" + key + "db_password = Tr0ub4dor-x9Kq-33  # [REDACTED:password]\n"
	_, n := r.RedactFile("a.ini", text)
	got := r.Places("a.ini", text)
	if len(got) != n || n != 2 || got[0].Line != 2 || got[1].Line != 8 {
		t.Errorf("%d secrets: %+v", n, got)
	}
	if got := r.Places("a.ini", "x = 1\n# [REDACTED:password]\n"); got != nil {
		t.Errorf("%+v", got)
	}
}
