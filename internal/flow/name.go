package flow

import (
	"bytes"
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

func (f *frame) variable(x *ir.Expr) *value {
	if x.Text == "" { // of a text that did not parse
		return nil
	}
	if v, ok := f.env.get(x.Text); ok {
		if v == nil {
			return nil
		}
		return v
	}
	if f.isThis(x) {
		return &value{full: f.thisName(), labels: []label{{fn: f.fn, param: thisParam}}}
	}
	full := x.Text
	if imported, ok := f.file.Imports[x.Text]; ok && f.file.Language != "java" {
		full = imported
	}
	if t := f.table.Type(full); t != "" {
		full = t
	}
	if f.table.Source(full) {
		return f.source(x, full)
	}
	global, declared := strings.CutPrefix(x.Text, "$GLOBALS.") // PHP's functions see none but those
	if declared {
		full = global
	}
	if c := f.e.globals[f.file]; c != nil && c != f.env && (declared || x.Text[0] != '$' || f.file.Language != "php") {
		if v, ok := c.vars[global]; ok {
			return v
		}
	}
	if f.fn.Class != "" {
		if v := f.e.fields[f.fn.Class][x.Text]; v != nil && f.file.Language == "java" {
			return v.named(f.fieldType(x.Text))
		}
		if t := f.fieldType(x.Text); t != "" {
			return &value{full: f.typeName(t), labels: []label{{fn: f.fn, param: thisParam, fields: "." + x.Text}}}
		}
	}
	if fn := f.e.goFuncs[classAt{path.Dir(f.file.Path), x.Text}]; fn != nil && f.file.Language == "go" {
		return &value{full: full, fns: []*closure{{fn: fn}}}
	}
	return &value{full: full}
}

func (f *frame) thisName() string {
	if c := f.file.Classes[f.fn.Class]; c != nil && len(c.Bases) > 0 {
		b := c.Bases[0]
		full := f.typeName(b)
		if t := f.table.Type(full); t != "" {
			return t
		}
		if full != b || strings.Contains(b, ".") {
			return full
		}
	}
	return "this"
}

// fieldType is the declared type of a field of the class at hand.
func (f *frame) fieldType(name string) string {
	if c := f.file.Classes[f.fn.Class]; c != nil {
		return c.Fields[name]
	}
	return f.declared(f.fn.Class, name)
}

// source is a value that enters at x.
func (f *frame) source(x *ir.Expr, full string) *value {
	if f.sealed(full) {
		return &value{full: full}
	}
	s := f.e.entry(f.file, x)
	return &value{full: full, labels: []label{{source: s, trail: (*trail)(nil).add(*s)}}}
}

// sealed reports a cookie of Laravel, which encrypts and signs what it sets and throws away what others made.
func (f *frame) sealed(full string) bool {
	const laravel = `Illuminate\`
	return f.file.Language == "php" && (strings.HasSuffix(full, ".cookie") || strings.HasSuffix(full, ".cookies")) &&
		f.e.says(f.file, laravel, func(text []byte) bool { return bytes.Contains(text, []byte(laravel)) })
}

// member is a field of a value.
func (f *frame) member(x *ir.Expr, on *value, field string) *value {
	full := f.full(on, field)
	if t := f.table.Type(full); t != "" {
		full = t
	}
	if f.table.Source(full) {
		return f.source(x, full)
	}
	if on == nil {
		return &value{full: full}
	}
	if v, ok := on.fields[field]; ok {
		if v.name() == "" {
			return v.named(full)
		}
		return v
	}
	if v := f.shared(on, field); v != nil {
		return v.named(full)
	}
	if harmlessMember[field] || f.table.Clean(full) == model.All || f.isNumber(on, field) {
		return &value{full: full, clean: true}
	}
	out := &value{full: full}
	for _, l := range on.labels {
		if l.storedBy(field) {
			continue
		}
		if l.source == nil {
			if strings.Count(l.fields, ".") >= maxFields {
				continue
			}
			l.fields += "." + field
		}
		out.labels = merge(out.labels, []label{l})
	}
	if on.rest != nil {
		out = joined(out, on.rest, 0)
	}
	if t := f.declared(on.name(), field); t != "" && x.Op == ir.Member && !f.isThis(x.Args[0]) {
		out = f.typed(out, t)
	}
	if x.Op == ir.Member && f.isThis(x.Args[0]) {
		learned := f.e.fieldOf(classAt{f.file.Language, f.fn.Class}, field, 0)
		if out = joined(out, learned, 0); f.inParts(learned) {
			out.full = learned.full
		}
		if t := f.fieldType(field); t != "" {
			out.full = f.typeName(t)
		}
	}
	if clean := f.table.Clean(full); clean != 0 {
		out = out.cleaned(clean)
	}
	return out
}

// storedBy reports a field of an uploaded file that says where and how the server keeps it.
func (l label) storedBy(field string) bool {
	return keeps[field] && l.source != nil && uploads.MatchString(l.source.node.Text())
}

var (
	keeps   = words(`path filepath tempFilePath tmp_name destination size fieldname encoding`)
	uploads = pattern.New(`\b(req|request|ctx)\w*(\.request)?\.files?\b`)
)

// fieldOf is what a field is known to be given anywhere, in the class or in one that it builds on.
func (e *engine) fieldOf(class classAt, field string, depth int) *value {
	v := e.fields[class.name][field]
	if all := e.classes[class]; v == nil && len(all) == 1 && depth <= maxNested {
		if c := e.byPath[all[0].File].Classes[all[0].Name]; c != nil {
			for _, base := range c.Bases {
				v = joined(v, e.fieldOf(classAt{class.language, lastPart(base)}, field, depth+1), 0)
			}
		}
	}
	return v
}

// full is the tables' name of a member.
func (f *frame) full(on *value, field string) string {
	base := on.name()
	switch {
	case on == nil:
		base = "?"
	case on.con != nil:
		base = "string"
	case base == "":
		base = "?"
		switch {
		case on.isList:
			base = "list"
		case len(on.pieces) > 0:
			base = "string"
		}
	}
	if f.file.Language == "java" && strings.Contains(base, ".") && base == strings.ToLower(base) && field != strings.ToLower(field) {
		base = "" // a package: java.util.Base64 is Base64
	}
	if base == "" {
		return field
	}
	full := base + "." + field
	if len(full) > maxFull {
		return "?." + field
	}
	return full
}

// Members of an untrusted text that are not such text themselves.
var harmlessMember = words(`length size count len empty? nil? present? blank? status_code content_length lastModified`)
