package codebase

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
)

// maxEntryPoints bounds the list: a repository of scripts has thousands.
const maxEntryPoints = 100

// entryNames are base names that start a program in each language.
var entryNames = map[string][]string{
	"python":     {"__main__.py", "manage.py", "wsgi.py", "asgi.py", "main.py", "app.py"},
	"javascript": {"index.js", "index.mjs", "index.jsx", "main.js", "server.js", "app.js", "main.jsx"},
	"typescript": {"index.ts", "main.ts", "server.ts", "app.ts"},
	"tsx":        {"index.tsx", "main.tsx"},
	"php":        {"index.php", "artisan"},
	"ruby":       {"config.ru", "main.rb", "app.rb"},
	"rust":       {"main.rs"},
	"csharp":     {"Program.cs"},
	"swift":      {"main.swift"},
	"kotlin":     {"Main.kt"},
	"html":       {"index.html"},
}

var (
	pythonMain = regexp.MustCompile(`(?m)^if\s+__name__\s*==\s*["']__main__["']`)
	goMain     = regexp.MustCompile(`(?m)^package main\b`)
	javaMain   = regexp.MustCompile(`\bstatic\s+(?:public\s+)?void\s+main\s*\(`)
	kotlinMain = regexp.MustCompile(`(?m)^(?:suspend\s+)?fun\s+main\s*\(`)
	cMain      = regexp.MustCompile(`(?m)^\s*(?:int|void|auto)\s+(?:w?main|WinMain)\s*\(`)
	csMain     = regexp.MustCompile(`\bstatic\s+(?:async\s+)?(?:void|int|Task(?:<int>)?)\s+Main\s*\(`)
	rustMain   = regexp.MustCompile(`(?m)^(?:pub\s+)?(?:async\s+)?fn\s+main\s*\(`)
	dockerRun  = regexp.MustCompile(`(?mi)^\s*(?:CMD|ENTRYPOINT)\s+(.*)$`)
)

// findEntryPoints gathers the files that execution starts in.
func findEntryPoints(c *Codebase) []string {
	found := map[string]bool{}
	for i := range c.files {
		f, text := &c.files[i], c.texts[i]
		for _, p := range namedEntries(c, f, text) {
			if _, ok := c.index[p]; ok {
				found[p] = true
			}
		}
		if RoleOf(f.Path) != Test && startsProgram(f, text) {
			found[f.Path] = true
		}
	}
	points := make([]string, 0, len(found))
	for p := range found {
		points = append(points, p)
	}
	slices.SortFunc(points, func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return points[:min(len(points), maxEntryPoints)]
}

func startsProgram(f *File, text string) bool {
	base := path.Base(f.Path)
	if slices.Contains(entryNames[f.Language], base) {
		// An index or app below src/components is a module like any other.
		return strings.Count(f.Path, "/") <= 2 || base == "__main__.py" || base == "manage.py" || base == "main.rs"
	}
	switch f.Language {
	case "python":
		return strings.Contains(text, "__main__") && pythonMain.MatchString(text)
	case "go":
		return strings.Contains(text, "func main()") && goMain.MatchString(text)
	case "java":
		return strings.Contains(text, " main") && javaMain.MatchString(text)
	case "kotlin":
		return strings.Contains(text, "fun main") && kotlinMain.MatchString(text)
	case "c", "cpp":
		return strings.Contains(text, "ain") && !strings.HasSuffix(base, ".h") && cMain.MatchString(text)
	case "csharp":
		return strings.Contains(text, " Main") && csMain.MatchString(text)
	case "rust":
		return strings.Contains(f.Path, "src/bin/") && rustMain.MatchString(text)
	}
	return false
}

// namedEntries gives the paths that a manifest names as what is run.
func namedEntries(c *Codebase, f *File, text string) []string {
	dir := path.Dir(f.Path)
	switch {
	case path.Base(f.Path) == "package.json":
		return packageEntries(dir, text)
	case f.Language == "dockerfile":
		return dockerEntries(c, dir, text)
	}
	return nil
}

func packageEntries(dir, text string) []string {
	var manifest struct {
		Main   any `json:"main"`
		Module any `json:"module"`
		Bin    any `json:"bin"`
	}
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return nil
	}
	var out []string
	add := func(v any) {
		if s, ok := v.(string); ok && s != "" {
			p := path.Join(dir, s)
			out = append(out, p, p+".js", path.Join(p, "index.js"))
		}
	}
	add(manifest.Main)
	add(manifest.Module)
	add(manifest.Bin)
	if bins, ok := manifest.Bin.(map[string]any); ok {
		for _, v := range bins {
			add(v)
		}
	}
	return out
}

// dockerEntries takes each word of CMD and ENTRYPOINT that names a file of the
// codebase, or with -m a Python module.
func dockerEntries(c *Codebase, dir, text string) []string {
	var out []string
	for _, m := range dockerRun.FindAllStringSubmatch(text, 50) {
		words := strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune(` ,"'[]`+"\t\r", r) })
		for _, w := range words {
			w = strings.TrimPrefix(w, "./")
			module, _, _ := strings.Cut(w, ":") // uvicorn's and gunicorn's pkg.mod:app
			module = strings.ReplaceAll(module, ".", "/")
			for _, p := range []string{w, strings.TrimPrefix(w, "/app/"), module + ".py", module + "/__main__.py"} {
				for _, base := range []string{dir, "."} {
					if q := path.Join(base, p); q != "." {
						if _, ok := c.index[q]; ok {
							out = append(out, q)
						}
					}
				}
			}
		}
	}
	return out
}
