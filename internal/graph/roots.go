package graph

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// goModule is a go.mod: the path that the imports of its directory begin with.
type goModule struct{ path, dir string }

// scriptRoots are what imports of JavaScript that are not relative may mean.
type scriptRoots struct {
	packages map[string]string // directories of package.json files by their name
	aliases  []scriptAlias     // of tsconfig's paths, the longest first
	bases    []string          // of tsconfig's baseUrl
}

type scriptAlias struct{ scope, prefix, dir string }

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)`)

// readRoots reads the manifests that say what imports are relative to.
func (g *Graph) readRoots() {
	g.scripts.packages = map[string]string{}
	g.goNames()
	for _, p := range g.code.Paths() {
		dir := path.Dir(p)
		switch base := path.Base(p); {
		case base == "go.mod":
			text, _ := g.code.Text(p)
			if m := moduleLine.FindStringSubmatch(text[:min(len(text), 1<<16)]); m != nil {
				name := m[1]
				if name == "std" { // the standard library's own
					name = ""
				}
				g.modules = append(g.modules, goModule{name, dir})
			}
		case base == "package.json" && !strings.Contains(p, "node_modules/"):
			var manifest struct {
				Name string `json:"name"`
			}
			if text, _ := g.code.Text(p); bounded.Unmarshal([]byte(text), &manifest) == nil && manifest.Name != "" {
				g.scripts.packages[manifest.Name] = dir
			}
		case base == "tsconfig.json" || base == "jsconfig.json":
			text, _ := g.code.Text(p)
			g.readConfig(dir, text)
		}
	}
	slices.SortStableFunc(g.modules, func(a, b goModule) int { return cmp.Compare(len(b.path), len(a.path)) })
	slices.SortStableFunc(g.scripts.aliases, func(a, b scriptAlias) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
}

var jsonComment = regexp.MustCompile(`(?m)^\s*//.*$|/\*[^*]*\*/|,(\s*[}\]])`)

// readConfig reads a tsconfig.json as far as it is simple.
func (g *Graph) readConfig(dir, text string) {
	var c struct {
		Options struct {
			Base  string              `json:"baseUrl"`
			Paths map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if len(text) > 1<<16 || !json.Valid([]byte(text)) && len(text) > 0 {
		text = jsonComment.ReplaceAllString(text[:min(len(text), 1<<16)], "$1")
	}
	if bounded.Unmarshal([]byte(text), &c) != nil {
		return
	}
	base := path.Join(dir, c.Options.Base)
	if c.Options.Base != "" {
		g.scripts.bases = append(g.scripts.bases, base)
	}
	for pattern, targets := range c.Options.Paths {
		if len(targets) > 0 && len(pattern) < maxText {
			g.scripts.aliases = append(g.scripts.aliases,
				scriptAlias{dir, strings.TrimSuffix(pattern, "*"), path.Join(base, strings.TrimSuffix(targets[0], "*"))})
		}
	}
	slices.SortFunc(g.scripts.aliases, func(a, b scriptAlias) int {
		return cmp.Or(cmp.Compare(a.scope, b.scope), cmp.Compare(a.prefix, b.prefix))
	})
}

// goDir is the directory that an import path means, false for one outside of the codebase.
func (g *Graph) goDir(module string) (string, bool) {
	for _, m := range g.modules {
		switch {
		case m.path == "":
			if dir := path.Join(m.dir, module); g.hasGo(dir) {
				return dir, true
			}
		case module == m.path:
			return m.dir, true
		case strings.HasPrefix(module, m.path+"/"):
			return path.Join(m.dir, module[len(m.path)+1:]), true
		}
	}
	if len(g.modules) == 0 && strings.Contains(module, "/") && g.hasGo(module) {
		return module, true
	}
	return "", false
}

// goName is the name that the package of an import path has: as it says itself, or as its path suggests.
func (g *Graph) goName(module string) string {
	if dir, ok := g.goDir(module); ok {
		if name := g.goNames()[dir]; name != "" {
			return name
		}
	}
	return gotree.PackageName(module)
}

func (g *Graph) hasGo(dir string) bool { return g.goNames()[dir] != "" }

// goNames are the names of Go's packages by their directories.
func (g *Graph) goNames() map[string]string {
	if g.goPackages == nil {
		g.goPackages = map[string]string{}
		for i := range g.files {
			if f := &g.files[i]; f.family == "go" && !f.test {
				g.goPackages[path.Dir(f.path)] = f.facts.Package
			}
		}
	}
	return g.goPackages
}
