package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// contextDetached starts work under a context of its own, which nobody can end.
func contextDetached() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"context\"\n\t\"net/http\"\n)\n\nfunc ask(ctx context.Context, u string) (*http.Request, error) {\n\treturn http.NewRequestWithContext(ctx, http.MethodGet, u, nil)\n}\n"
		second = "package a\n\nimport (\n\tgo_ctx \"context\"\n\t\"os/exec\"\n)\n\nfunc sync(c go_ctx.Context) error {\n\tcmd := exec.CommandContext( c,\n\t\t\"sync\")\n\treturn cmd.Run()\n}\n"
	)
	return plant.Operator{
		Name: "go/context-detached", Language: "go", Split: "heldout", Category: "api-misuse", CWE: "CWE-1088", Severity: "medium",
		Sites: sites("Context(", func(s *source) []plant.Site {
			var out []plant.Site
			local := s.local("context")
			for _, call := range s.kinds["call_expression"] {
				args := arguments(call)
				known := s.callTo(call, "net/http", "NewRequestWithContext") || s.callTo(call, "os/exec", "CommandContext")
				if !known || len(args) < 2 || args[0].Kind() != "identifier" || local == "" {
					continue
				}
				fn := function(call)
				if parameters(fn)[args[0].Text()] != local+".Context" || rebound(fn, args[0]) {
					continue
				}
				e := s.swap(args[0], local+".Background()")
				_, name := method(call)
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s passes a background context to %s instead of %s, so its caller's deadline and cancellation have no effect.", nameOf(fn), name, args[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "(ctx, http", "(context.Background(), http", 1)),
			sample(second, strings.Replace(second, "( c,", "( go_ctx.Background(),", 1)),
		},
		Never: []string{
			"package a\n\nimport (\n\t\"context\"\n\t\"os/exec\"\n)\n\nfunc sync() error { return exec.CommandContext(context.Background(), \"sync\").Run() }\n",
			"package a\n\nimport \"context\"\n\nfunc f(ctx context.Context, g func(context.Context) error) error { return g(ctx) }\n",
		},
	}
}
