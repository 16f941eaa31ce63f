package flow

import (
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// ofClass notes what it says of a value that it is, or is not, of one of some classes: where a Symbol or an Integer is, nothing
// comes that was sent; where a Hash is, no text is; and where no String is, no text is either.
func (f *frame) ofClass(x *ir.Expr, classes []*ir.Expr, holds bool) {
	if len(classes) == 1 && (classes[0].Op == ir.List) {
		classes = classes[0].Args
	}
	plain, objects, texts := true, true, false
	for _, c := range classes {
		name := className(c)
		plain = plain && plainClass[name]
		objects = objects && name != "" && !textClass[name]
		texts = texts || textClass[name] && f.file.Language == "ruby"
	}
	switch {
	case holds && plain:
		f.clear(x, model.All)
	case holds && objects, !holds && texts:
		f.clear(x, model.Object)
	}
}

// otherwise is what holds where a value is of none of some classes.
func (f *frame) otherwise(start *env, x *ir.Expr, classes []*ir.Expr) *env {
	within := f.env
	f.env = start.copy()
	f.ofClass(x, classes, false)
	out := f.env
	f.env = within
	return out
}

// ofClassByEquality notes what Ruby's String === x says, and tells whether a class is compared.
func (f *frame) ofClassByEquality(a, b *ir.Expr, holds bool) bool {
	if f.file.Language != "ruby" {
		return false
	}
	if className(a) != "" {
		a, b = b, a
	}
	if className(b) == "" {
		return false
	}
	f.ofClass(a, []*ir.Expr{b}, holds)
	return true
}

// className is the last part of the name of a class; "" for all else, constants in capitals among it.
func className(x *ir.Expr) string {
	if x.Op != ir.Name && x.Op != ir.Member {
		return ""
	}
	name := lastPart(x.Text)
	if camel.MatchString(name) || plainClass[name] || textClass[name] || builtIn[name] {
		return name
	}
	return ""
}

var camel = pattern.New(`^[A-Z]\w*[a-z]`)

var (
	// Classes whose instances nobody can send.
	plainClass = words(`Symbol Class Module Proc Method Integer Float Numeric Rational Complex BigDecimal Date Time DateTime Range Regexp
		NilClass TrueClass FalseClass int float bool complex Decimal UUID datetime date timedelta`)
	// Classes of Python's own whose instances are no texts, but may hold some.
	builtIn = words(`list dict tuple set frozenset`)
	// Classes whose instances may be texts.
	textClass = words(`String Object BasicObject Comparable Kernel str bytes bytearray object`)
)

// narrowed is a value that can do less harm, where k is what a check made sure of: what surely is a text does not come to where no
// text is.
func (v *value) narrowed(k model.Kinds) *value {
	if k&model.Object == 0 || v == nil || v.isList || v.fields != nil || v.rest != nil {
		return v.cleaned(k)
	}
	if len(v.pieces) > 0 {
		return v.cleaned(model.All)
	}
	return v.relabel(0, func(l label) label {
		if l.clean |= k; l.source != nil && !sentObjects.MatchString(l.source.node.Text()) {
			l.clean = model.All
		}
		return l
	})
}

// Sources that may give more than a text.
var sentObjects = pattern.New(`(?i)body|query|json|\$_(GET|POST|REQUEST)|params|session|data|input|payload|parameters`)
