package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// shellString gives a command to the shell as one text.
func shellString() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `with mock.patch("subprocess.run") as run:`, `    app.pack("a; rm -rf /")`, `assert not run.call_args.kwargs.get("shell")`)
	return plant.Operator{
		Name: "python/shell-string", Language: "python", Split: heldout, Category: "injection", CWE: "CWE-78", Severity: "critical", Hint: "subprocess.",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if !slices.Contains([]string{"subprocess.run", "subprocess.check_output", "subprocess.check_call", "subprocess.call", "subprocess.Popen"}, callee(c)) || len(a) != 1 || a[0].Kind() != "list" || keyword(c, "shell").Valid() {
					continue
				}
				words, hole := shellWords(a[0])
				if hole == "" {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.replace(a[0], `f"`+strings.Join(words, " ")+`", shell=True`)}, Description: say(
					"%s gives its command to the shell as one text with %s in it: a value with ; or $( runs commands of its own.", where(c), hole)})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import subprocess`, ``, `def pack(name):`, `    subprocess.run(["tar", "-cf", "out.tar", name], check=True)`), code(`import subprocess`, ``, `def pack(name):`, `    subprocess.run(f"tar -cf out.tar {name}", shell=True, check=True)`), proof),
			sample(code(`import subprocess`, `def pack(name): return subprocess.run(`, `    [`, `        'zip', name,  # one file`, `    ],`, `    timeout=9)`), code(`import subprocess`, `def pack(name): return subprocess.run(`, `    f"zip {name}", shell=True,`, `    timeout=9)`), proof),
		},
		Never: []string{code(`import subprocess`, `def f(x):`, `    subprocess.run(f"ls {x}", shell=True)`), code(`import subprocess`, `def f():`, `    subprocess.run(["ls", "-l"])`)},
	}
}
