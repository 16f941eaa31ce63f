package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// sources reads the comments of packages, each once.
type sources struct {
	root     string // of the module
	packages map[string]*comments
}

// comments are what reflection does not see of a package.
type comments struct {
	types  map[string]string   // a type's doc comment
	fields map[string]string   // a field's, by "Type.Field": that above it or beside it
	words  map[string][]string // the constants of a string type, as TypeScript writes them
}

// of is what the package of a type says.
func (s *sources) of(t reflect.Type) (*comments, error) {
	path := t.PkgPath()
	switch path {
	case "": // a struct without a name
		return &comments{}, nil
	case "main": // a type of this program's
		path = module + "internal/web/documents"
	}
	if known := s.packages[path]; known != nil {
		return known, nil
	}
	below, ok := strings.CutPrefix(path, module)
	if !ok {
		return nil, fmt.Errorf("%v is in no package of ours: say in roots.go what it writes", t)
	}
	dir := filepath.Join(s.root, filepath.FromSlash(below))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	c := &comments{map[string]string{}, map[string]string{}, map[string][]string{}}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(file.Name.Name, "_test") { // another package
			continue
		}
		if err := c.read(file); err != nil {
			return nil, err
		}
	}
	s.packages[path] = c
	return c, nil
}

func (c *comments) read(file *ast.File) error {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if c.types[spec.Name.Name] = spec.Doc.Text(); spec.Doc == nil {
					c.types[spec.Name.Name] = decl.Doc.Text()
				}
				if record, ok := spec.Type.(*ast.StructType); ok {
					c.record(spec.Name.Name, record)
				}
			case *ast.ValueSpec:
				if err := c.constants(decl.Tok, spec); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// record keeps the fields' comments; one above several fields is the first one's.
func (c *comments) record(name string, t *ast.StructType) {
	for _, f := range t.Fields.List {
		text := f.Doc.Text()
		if f.Doc == nil {
			text = f.Comment.Text()
		}
		if len(f.Names) > 0 {
			c.fields[name+"."+f.Names[0].Name] = text
		}
	}
}

func (c *comments) constants(tok token.Token, spec *ast.ValueSpec) error {
	of, ok := spec.Type.(*ast.Ident)
	if tok != token.CONST || !ok {
		return nil
	}
	for _, v := range spec.Values {
		basic, ok := v.(*ast.BasicLit)
		if !ok || basic.Kind != token.STRING {
			continue
		}
		word, err := strconv.Unquote(basic.Value)
		if err != nil {
			return err
		}
		c.words[of.Name] = append(c.words[of.Name], literal(word))
	}
	return nil
}
