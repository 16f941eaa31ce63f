package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var hole = regexp.MustCompile(`^\{(.+)\}$`)

// quotedShell gives a command to the shell with every value quoted.
func quotedShell() plant.Operator {
	proof := code(`import app, shlex`, `from unittest import mock`, `with mock.patch("subprocess.run") as run:`, `    app.pack("a; rm -rf /")`, `given = run.call_args.args[0]`, `words = shlex.split(given) if isinstance(given, str) else given`, `assert words[-1] == "a; rm -rf /"`)
	return plant.Operator{
		Name: "python/quoted-shell", Language: "python", Split: heldout, Category: "injection", CWE: "CWE-78", Severity: "high", Decoy: true, Hint: "subprocess.",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if !slices.Contains([]string{"subprocess.run", "subprocess.check_output", "subprocess.check_call"}, callee(c)) || len(a) != 1 || a[0].Kind() != "list" || keyword(c, "shell").Valid() || !s.canImport("shlex", "subprocess") {
					continue
				}
				words, first := shellWords(a[0])
				if first == "" {
					continue
				}
				for i, w := range words {
					if m := hole.FindStringSubmatch(w); m != nil {
						words[i] = "{shlex.quote(str(" + m[1] + "))}"
					}
				}
				edits := []plant.Edit{s.replace(a[0], `f"`+strings.Join(words, " ")+`", shell=True`)}
				all = append(all, plant.Site{Edits: append(edits, s.importing("shlex", "subprocess")...), Description: say(
					"Every value in the command of %s goes through shlex.quote, so the shell sees it as one word.", where(c))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import subprocess`, ``, `def pack(name):`, `    subprocess.run(["tar", "-cf", "out.tar", name], check=True)`), code(`import shlex`, `import subprocess`, ``, `def pack(name):`, `    subprocess.run(f"tar -cf out.tar {shlex.quote(str(name))}", shell=True, check=True)`), proof),
			sample(code(`import shlex`, `import subprocess`, `def pack(name): return subprocess.run(`, `    [`, `        'zip', name,  # one file`, `    ],`, `    timeout=9)`), code(`import shlex`, `import subprocess`, `def pack(name): return subprocess.run(`, `    f"zip {shlex.quote(str(name))}", shell=True,`, `    timeout=9)`), proof),
		},
		Never: []string{code(`import subprocess`, `def f(x):`, `    subprocess.run(f"ls {x}", shell=True)`), code(`import subprocess`, `def f():`, `    subprocess.run(["ls", "-l"])`)},
	}
}
