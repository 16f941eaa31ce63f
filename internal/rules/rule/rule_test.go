package rule_test

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// in runs check as a rule over the source.
func in(t *testing.T, language, source string, check func(p *rule.Pass)) []rule.Match {
	t.Helper()
	tree, err := runtest.Parser(t).Parse(context.Background(), language, []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	if tree.HasError() {
		t.Fatalf("syntax error in\n%s", source)
	}
	matches, err := rule.NewFile("src/a", language, tree.Source(), tree).Run(&rule.Rule{ID: "x/y", Title: "t", Severity: "high", Check: check})
	if err != nil {
		t.Fatal(err)
	}
	return matches
}

func TestCallee(t *testing.T) {
	for language, tc := range map[string]struct {
		source string
		want   []string
	}{
		"python":     {"os.path.join(a)\nf(1)(2)\n'x'.join(y)\n(a.b).c()\na[0].d()\n", []string{"os.path.join", "f", "f", "?.join", "a.b.c", "?.d"}},
		"javascript": {"a.b.c(1); f(); new Foo(1); a().b(); this.x()", []string{"a.b.c", "f", "a.b", "a", "this.x"}},
		"typescript": {"a!.b(1); (await f()).g()", []string{"a.b", "f.g", "f"}},
		"go":         {"package p\nfunc f() { http.Get(u); db.Query(q).Scan(x); g() }\n", []string{"http.Get", "db.Query.Scan", "db.Query", "g"}},
		"java":       {"class A { void f() { Runtime.getRuntime().exec(c); g(); this.h(); a.b.C.d(); } }", []string{"Runtime.getRuntime.exec", "Runtime.getRuntime", "g", "this.h", "a.b.C.d"}},
		"php":        {"<?php f($x); $db->query($q); DB::raw($s); $this->a->b();\n", []string{"f", "$db.query", "DB.raw", "$this.a.b"}},
		"ruby":       {"File.open(x)\nsystem(c)\na.b.c(1)\n", []string{"File.open", "system", "a.b.c", "a.b"}},
		"c":          {"void f(void) { strcpy(a, b); p->cb(1); }", []string{"strcpy", "p.cb"}},
	} {
		t.Run(language, func(t *testing.T) {
			var got []string
			in(t, language, tc.source, func(p *rule.Pass) {
				for _, c := range p.Calls() {
					got = append(got, p.Callee(c))
				}
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestStringAndConstant(t *testing.T) {
	type literal struct {
		Value       string
		Holes, Text bool
		Constant    bool
	}
	for name, tc := range map[string]struct {
		language, source string
		want             literal
	}{
		"python prefix":     {"python", `f(rb"a\n")`, literal{`a\n`, false, true, true}},
		"python triple":     {"python", `f("""a "b" c""")`, literal{`a "b" c`, false, true, true}},
		"python joined":     {"python", `f("a" 'b')`, literal{"ab", false, true, true}},
		"python hole":       {"python", `f(f"a{x}b")`, literal{"ab", true, true, false}},
		"python upper hole": {"python", `f(f"a{X_Y}b")`, literal{"ab", true, true, true}},
		"python empty":      {"python", `f("")`, literal{"", false, true, true}},
		"python list":       {"python", `f([1, ("a", None)])`, literal{"", false, false, true}},
		"python name":       {"python", `f(name)`, literal{}},
		"python constant":   {"python", `f(cfg.MAX_SIZE)`, literal{"", false, false, true}},
		"js template":       {"javascript", "f(`a${x}`)", literal{"a", true, true, false}},
		"js single":         {"javascript", "f('a\\'b')", literal{`a\'b`, false, true, true}},
		"go raw":            {"go", "package p\nfunc g() { f(`a\"`) }", literal{`a"`, false, true, true}},
		"go joined":         {"go", "package p\nfunc g() { f(\"a\" + \"b\") }", literal{"", false, false, true}},
		"java":              {"java", `class A { void g() { f("a"); } }`, literal{"a", false, true, true}},
		"php double":        {"php", `<?php f("a $x b");`, literal{"a  b", true, true, false}},
		"php single":        {"php", `<?php f('a $x');`, literal{"a $x", false, true, true}},
		"ruby":              {"ruby", "f(\"a#{x}\")", literal{"a", true, true, false}},
		"c":                 {"c", `void g(void) { f("a" "b"); }`, literal{"ab", false, true, true}},
	} {
		t.Run(name, func(t *testing.T) {
			var got literal
			in(t, tc.language, tc.source, func(p *rule.Pass) {
				a := p.Arg(p.Calls()[0], 0)
				got.Value, got.Holes, got.Text = p.String(a)
				got.Constant = p.Constant(a)
			})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecret(t *testing.T) {
	for _, tc := range []struct {
		name, value string
		want        bool
	}{
		{"DB_PASSWORD", "hunter2-Prod!", true},
		{"apiKey", "9f8a7c6d5e4b3a2f1e0d9c8b", true},
		{"client_secret", "Zx81-qLm0-Pp27-aa9K", true},
		{"password", "password", false},
		{"password", "changeme", false},
		{"password", "${DB_PASSWORD}", false},
		{"password_field", "hunter2-Prod!", false},
		{"secret_name", "prod/db-1/password", false},
		{"token", "access_token", false},
		{"token_url", "9f8a7c6d5e4b3a2f1e0d9c8b", false},
		{"update_token", "1a2b3c4d-5e6f-7a8b-9c0d", false},
		{"api_key", "your-api-key-123456789", false},
		{"secret", "https://vault.local/v1/secret1", false},
		{"user", "9f8a7c6d5e4b3a2f1e0d9c8b", false},
	} {
		if got := rule.Secret(tc.name, tc.value); got != tc.want {
			t.Errorf("Secret(%q, %q) = %v", tc.name, tc.value, got)
		}
	}
}

func TestSecretToken(t *testing.T) {
	for value, want := range map[string]string{
		"AKIA2EQA7F3BZ44CLPQ6":                                "aws access key",
		"AKIAIOSFODNN7EXAMPLE":                                "",
		"ghp_" + strings.Repeat("aB3xY9", 6):                  "github token",
		"postgres://app:s3cr3tPw@db.internal/app":             "password in an address",
		"postgres://app:password@db.internal/app":             "",
		"postgres://app:s3cr3tPw@localhost/app":               "password in an address",
		"https://example.org/a:b@c":                           "",
		"-----BEGIN PRIVATE KEY-----":                         "",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx1": "",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx1yZ0123456789" + strings.Repeat("aB3xY9Zq", 8): "private key",
	} {
		if got := rule.SecretToken(value); got != want {
			t.Errorf("SecretToken(%q) = %q, want %q", value, got, want)
		}
	}
}

func TestWeakConnection(t *testing.T) {
	for value, want := range map[string]bool{
		"mysql://root:root@localhost/shop":                          true,
		"root:root@tcp(127.0.0.1:3306)/shop":                        true,
		"host=db user=shop password=shop dbname=shop":               true,
		"Server=db;Database=shop;User Id=sa;Password=123;":          true,
		"mysql://user:password@localhost/shop":                      false,
		"mysql://root:${PASSWORD}@localhost/shop":                   false,
		"host=%s user=%s password=%s":                               false,
		"rel:Relation[@Type='http://example.org/spec/styles']":      false,
		"https://jo:root@shop.org/feed":                             false,
		"jdbc:mysql://db/shop?user=jo&password=root":                true,
		"postgres://your-name:your-password@localhost:5432/your-db": false,
	} {
		if got := rule.WeakConnection(value); got != want {
			t.Errorf("WeakConnection(%q) = %v", value, got)
		}
	}
}

func TestDetailIsShortAndOneLine(t *testing.T) {
	long := strings.Repeat("é\n", 200)
	matches := in(t, "python", "f()\n", func(p *rule.Pass) { p.Report(p.Calls()[0], long) })
	if d := matches[0].Detail; len(d) > 110 || strings.Contains(d, "\n") || !strings.HasPrefix(d, "é é") || !utf8.ValidString(d) {
		t.Errorf("detail %q", d)
	}
}

func TestReportTwiceOnTheSameLines(t *testing.T) {
	matches := in(t, "python", "f(g())\n", func(p *rule.Pass) {
		for _, c := range p.Calls() {
			p.Report(c, "")
		}
	})
	if len(matches) != 1 {
		t.Errorf("%d matches, want 1", len(matches))
	}
}
