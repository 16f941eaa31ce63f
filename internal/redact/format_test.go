package redact

import (
	"strings"
	"testing"
)

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]format{
		"a/b.go": code, "Dockerfile": docker, "docker/Dockerfile.prod": docker, "app.yml": yaml, "app.yml.j2": yaml, "values.YAML": yaml,
		".env": ini, ".env.local": ini, "deploy/.env.example": ini, "my.cnf": ini, "a.properties": ini, ".aws/credentials": ini, ".wgetrc": ini,
		"web.config": xml, "x.tfvars": hcl, "x.tfstate": json, "Makefile": shell, "run.ps1": shell, ".netrc": netrc, ".pgpass": pgpass,
		"README.md": plain, "notes": plain, "": plain, "a.example": plain, `C:\app\settings.ini`: ini,
		"config/locales/de.yml": yaml | labels, "messages_de.properties": ini | labels, "src/i18n/fr.json": json | labels,
	} {
		if got := formatOf(name); got != want {
			t.Errorf("%q is of format %d, want %d", name, got, want)
		}
	}
}

// TestSections reads one line in prompts: in YAML the value is a password, in Go a name, and a prompt's own words are neither.
func TestSections(t *testing.T) {
	const setting = "password: marmalade\n"
	header := func(name string) string { return "=== FILE: " + name + " (lines 1-1 of 1) ===\n" }
	for text, want := range map[string]int{
		setting:                   0,
		header("a.yml") + setting: 1,
		header("a.go") + setting:  0,
		header("a.yml") + setting + header("a.go") + setting + header("b.yml") + setting: 2,
		header("a.yml") + setting + "=== END ===\n" + setting:                            1,
		"x " + header("a.yml") + setting:                                                 0,
		"=== FILE: a.yml\n" + setting:                                                    0,
		header(`"a\tb.yml"`) + setting:                                                   1,
		"```yaml\n" + setting + "```\n" + setting:                                        1,
		"```go\n" + setting + "```\n":                                                    0,
		"```\n" + setting + "```\n":                                                      0,
		header("README.md") + "```yml\n" + setting + "```\n":                             1,
	} {
		got, n := New().Redact(text)
		if n != want || strings.Count(got, "\n") != strings.Count(text, "\n") || want == 0 && got != text {
			t.Errorf("%d secrets in %q, want %d: %q", n, text, want, got)
		}
	}
}

// TestWellKnownDefaults stay: everybody knows them, and a reviewer should see that they are there.
func TestWellKnownDefaults(t *testing.T) {
	for _, value := range []string{"changeme", "ChangeMe123", "change-me", "password", "admin", "postgres", "secret", "root", "test123",
		"your-password",
		"<password>", "${DB_PASSWORD}", "{{ password }}", "%s", "null", "true", "~", "''", "xxxxxxxx", "********", "..."} {
		text := "password: " + value + "\n"
		if got, n := New().RedactFile("a.yml", text); n != 0 {
			t.Errorf("%q became %q", text, got)
		}
	}
	if _, n := New().RedactFile("a.yml", "password: changeme-Zq81\n"); n != 0 {
		t.Error("a placeholder with something behind it was taken for a secret")
	}
}

// TestChains has secrets that touch: each is judged as if the one before still stood there, so that no round uncovers only the next.
func TestChains(t *testing.T) {
	one := "SG." + rnd(alnum, 22) + "." + rnd(alnum, 43)
	got, n := New().Redact(strings.Repeat(one, 3*rounds))
	if again, m := New().Redact(got); n == 0 || m != 0 || again != got {
		t.Errorf("%d, then %d: %q", n, m, got)
	}
}
