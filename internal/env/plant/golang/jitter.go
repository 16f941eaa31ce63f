package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// jitter spreads a pause with a random number that is no secret: it looks weak and is right.
func jitter() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"context\"\n\t\"time\"\n)\n\nfunc pause(ctx context.Context, wait time.Duration) {\n\tselect {\n\tcase <-ctx.Done():\n\tcase <-time.After(wait):\n\t}\n}\n"
		second = "package a\n\nimport \"time\"\n\nfunc retry(delay time.Duration, try func() bool) { for !try() { time.Sleep( delay ) } }\n"
	)
	return plant.Operator{
		Name: "go/jitter", Language: "go", Split: "heldout", Category: "weak-crypto", CWE: "CWE-338", Severity: "low", Decoy: true,
		Sites: sites("time.", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				args := arguments(call)
				if !s.callTo(call, "time", "After", "Sleep", "NewTimer") || len(args) != 1 || args[0].Kind() != "identifier" || parameters(function(call))[args[0].Text()] != "time.Duration" {
					continue
				}
				name, edits, ok := s.imported("math/rand/v2", "rand")
				if !ok || s.local("math/rand") != "" || s.local("crypto/rand") != "" {
					continue
				}
				e := s.swap(args[0], fmt.Sprintf("%s + %s.N(max(%s/4, 1))", args[0].Text(), name, args[0].Text()))
				out = append(out, plant.Site{Edits: append([]plant.Edit{e}, edits...), Description: fmt.Sprintf(
					"%s uses math/rand to spread its pauses: nobody gains by guessing them, so the generator need not be a secure one.", nameOf(function(call)))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("\t\"time\"\n)", "\t\"math/rand/v2\"\n\t\"time\"\n)", "After(wait)", "After(wait + rand.N(max(wait/4, 1)))").Replace(first)),
			sample(second, strings.NewReplacer("import \"time\"", "import \"math/rand/v2\"\nimport \"time\"", "Sleep( delay )", "Sleep( delay + rand.N(max(delay/4, 1)) )").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"time\"\n\nfunc tick() { time.Sleep(time.Second) }\n",
			"package a\n\nimport (\n\t\"math/rand\"\n\t\"time\"\n)\n\nfunc tick(d time.Duration) { time.Sleep(d + time.Duration(rand.Int63n(5))) }\n",
		},
	}
}
