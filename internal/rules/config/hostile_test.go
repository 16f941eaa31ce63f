package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/rules/config"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// TestHostile gives the readers texts that nobody writes: none may cost more than its length.
func TestHostile(t *testing.T) {
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	for _, tt := range []struct{ name, path, language, text string }{
		{"shared services", "compose.yml", "yaml", "x: &x\n" + many(20_000, "  a: 1\n") + "services:\n" + many(20_000, "  s: {<<: *x}\n")},
		{"shared environment", "compose.yml", "yaml", "x: &x\n  environment:\n" +
			many(20_000, "    - A=9f8e7d6c5b4a39281706\n") + "services:\n" + many(10_000, "  s: {<<: *x}\n")},
		{"alias of itself", "compose.yml", "yaml", "services: &s\n  a:\n    <<: *s\n    volumes: *s\n"},
		{"deep", "compose.yml", "yaml", "services: " + many(9_000, "[") + many(9_000, "]")},
		{"deep mapping", "application.yml", "yaml", many(9_000, "{a: ") + many(9_000, "}")},
		{"many documents", "k8s.yml", "yaml", many(50_000, "kind: Pod\napiVersion: v1\ncontainers: 1\n---\n")},
		{"long script", ".github/workflows/a.yml", "yaml", "on: issues\njobs:\n  a:\n    steps:\n    - run: |\n" +
			many(50_000, "        ${{ ${{\n")},
		{"open blocks", "nginx.conf", "ini", many(200_000, "server { ")},
		{"open quotes", "nginx.conf", "ini", "server {\n" + many(200_000, `"\" `)},
		{"variables", "nginx.conf", "ini", "server {\n" + many(200_000, "${")},
		{"dollars", "nginx.conf", "ini", "server {\nreturn " + many(800, many(9_000, "$")+"\n")},
		{"braces", "nginx.conf", "ini", "server {\nreturn ${" + many(300_000, "}")},
		{"heredocs", "Dockerfile", "dockerfile", "FROM x\n" + many(100_000, "RUN <<A\n")},
		{"continued", "Dockerfile", "dockerfile", "FROM x\nRUN a \\\n" + many(100_000, "chmod -a \\\n")},
		{"one line", "Dockerfile", "dockerfile", "FROM x\nRUN " + many(100_000, "chmod -a curl -k | ")},
		{"nothing", "Dockerfile", "dockerfile", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := rule.NewFile(tt.path, tt.language, []byte(tt.text), nil)
			start := time.Now()
			for _, r := range config.Rules() {
				if _, err := f.Run(&r); err != nil {
					t.Error(err)
				}
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%d bytes took %v", len(tt.text), took)
			}
		})
	}
}
