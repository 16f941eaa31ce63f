// Package typetest type-checks Go projects that exist only as texts, for tests of what is grown and planted.
//
// It runs nothing and is not part of the product.
package typetest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// Checker type-checks projects; the standard library's types are loaded once. It is safe for concurrent use.
type Checker struct {
	mu     sync.Mutex
	fset   *token.FileSet
	std    types.Importer            // looks for a package's files each time that it is asked
	loaded map[string]*types.Package // of the standard library, by import path
}

// Shared is the test program's only Checker.
var Shared = sync.OnceValue(func() *Checker {
	fset := token.NewFileSet()
	return &Checker{fset: fset, std: importer.ForCompiler(fset, "source", nil), loaded: map[string]*types.Package{}}
})

// Check returns all type errors of a project, tests left out when they belong to an external test package. Without a
// go.mod, the module is called "a".
func (c *Checker) Check(files map[string]string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &project{checker: c, module: "a", dirs: map[string][]string{}, done: map[string]*types.Package{}, files: files}
	for line := range strings.Lines(files["go.mod"]) {
		if module, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			p.module = module
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".go") {
			p.dirs[path.Dir(name)] = append(p.dirs[path.Dir(name)], name)
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(p.dirs)) {
		_, _ = p.load(dir) // what is wrong is collected
	}
	return errors.Join(p.errs...)
}

type project struct {
	checker *Checker
	module  string
	files   map[string]string
	dirs    map[string][]string
	done    map[string]*types.Package
	errs    []error
}

// Import serves the project's own packages and the standard library's.
func (p *project) Import(name string) (*types.Package, error) {
	if name == p.module || strings.HasPrefix(name, p.module+"/") {
		return p.load(path.Join(".", strings.TrimPrefix(strings.TrimPrefix(name, p.module), "/")))
	}
	if pkg, ok := p.checker.loaded[name]; ok {
		return pkg, nil
	}
	pkg, err := p.checker.std.Import(name)
	if err == nil {
		p.checker.loaded[name] = pkg
	}
	return pkg, err
}

func (p *project) load(dir string) (*types.Package, error) {
	if pkg, ok := p.done[dir]; ok {
		if pkg == nil {
			return nil, fmt.Errorf("%s imports itself or has no files", dir)
		}
		return pkg, nil
	}
	p.done[dir] = nil
	var parsed []*ast.File
	for _, name := range p.dirs[dir] {
		f, err := parser.ParseFile(p.checker.fset, name, p.files[name], parser.SkipObjectResolution)
		if err != nil {
			p.errs = append(p.errs, err)
			continue
		}
		if !strings.HasSuffix(f.Name.Name, "_test") {
			parsed = append(parsed, f)
		}
	}
	if len(parsed) == 0 {
		return nil, fmt.Errorf("no package in %q", dir)
	}
	config := types.Config{Importer: p, Error: func(err error) { p.errs = append(p.errs, err) }}
	pkg, _ := config.Check(path.Join(p.module, dir), p.checker.fset, parsed, nil)
	p.done[dir] = pkg
	return pkg, nil
}
