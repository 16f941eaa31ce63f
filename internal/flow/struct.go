package flow

import (
	"path"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// structOf is Go's struct of a name, as the file at hand means it; nil for any other type.
func (f *frame) structOf(name string) *ir.Class {
	if f.file.Language != "go" || name == "" {
		return nil
	}
	class := classAt{"go", lastPart(name)}
	all := f.e.classes[class]
	if len(all) > 1 {
		all = f.e.beside[besideKey{path.Dir(f.file.Path), class}]
	}
	if len(all) != 1 {
		return nil
	}
	return f.e.byPath[all[0].File].Classes[all[0].Name]
}

// declared is the type with which the struct of a name declares a field, "" where none does.
func (f *frame) declared(name, field string) string {
	if c := f.structOf(name); c != nil {
		return c.Fields[field]
	}
	return ""
}

// byField is a struct that was written without the names of its fields, T{a, b}, as one with them.
func (f *frame) byField(v *value, name string) *value {
	if v == nil || !v.isList || len(v.list) == 0 {
		return v
	}
	c := f.structOf(name)
	if c == nil || len(c.Order) != len(v.list) {
		return v
	}
	w := &value{fields: map[string]*value{}}
	for i, field := range c.Order {
		w.fields[field] = v.list[i]
	}
	return w
}
