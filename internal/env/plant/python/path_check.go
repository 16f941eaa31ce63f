package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var containment = regexp.MustCompile(`is_relative_to\(|commonpath\(|commonprefix\(|\.parents\b|startswith\(.*(root|base|folder|directory|os\.sep)`)

// pathCheck removes the test that a path stays inside its folder.
func pathCheck() plant.Operator {
	return plant.Operator{
		Name: "python/path-check", Language: "python", Split: train, Category: "path-traversal", CWE: "CWE-22", Severity: "high", Hint: "raise ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, n := range s.nodes("if_statement") {
				cond := n.ChildByField("condition")
				if _, ok := guard(n); !ok || !containment.MatchString(cond.Text()) || !n.Enclosing("function_definition").Valid() {
					continue
				}
				if e, ok := s.drop(n); ok {
					all = append(all, plant.Site{Edits: []plant.Edit{e}, Description: say(
						"%s uses a path without checking that it stays in its folder (`%s` is no longer asked): a name with .. reaches any file.", where(n), short(cond))})
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`from pathlib import PurePosixPath as P`, ``, ``, `def inside(root, name):`, `    target = P(root, name)`, `    # Nothing outside of the root.`, `    if ".." in target.parts or not target.is_relative_to(root):`, `        raise ValueError(name)`, `    return target`),
				code(`from pathlib import PurePosixPath as P`, ``, ``, `def inside(root, name):`, `    target = P(root, name)`, `    return target`),
				code(`import app`, `assert str(app.inside("/srv", "a")) == "/srv/a"`, `try:`, `    app.inside("/srv", "../etc/passwd")`, `    assert False`, `except ValueError:`, `    pass`)),
			sample(code(`import os.path`, ``, `def read(root, name, opener):`, `    full = os.path.normpath(os.path.join(root, name))`, `    if (os.path.commonpath([root, full])`, `            != root):`, `        raise PermissionError(`, `            name)`, `    # open it`, `    with opener(full) as f:`, `        return f.read()`),
				code(`import os.path`, ``, `def read(root, name, opener):`, `    full = os.path.normpath(os.path.join(root, name))`, `    # open it`, `    with opener(full) as f:`, `        return f.read()`),
				code(`import app, io`, `try:`, `    app.read("/srv", "../etc/passwd", lambda path: io.StringIO(path))`, `    assert False`, `except PermissionError:`, `    pass`)),
		},
		Never: []string{
			code(`def inside(root, name):`, `    return root + "/" + name`),
			code(`def check(line):`, `    if line.startswith("#"):`, `        raise ValueError(line)`, `    return line`),
		},
	}
}
