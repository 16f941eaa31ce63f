package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	ownerName   = regexp.MustCompile(`(?i)^(owner|tenant|account|user|customer|org)(id)?$`)
	ownerColumn = regexp.MustCompile(`(?i) AND \w*(owner|tenant|account|user|customer|org)\w* = (\?|\$\d+)$`)
)

// OwnerFilter looks a record up by its id alone where the owner was asked for too. The parameter stays, so callers in
// other files still believe that they get nothing of other people's.
func (*operators) OwnerFilter(f file) {
	add := func(n syntax.Node, e plant.Edit, owner string) {
		fn := function(n)
		for fn.Valid() && !exported(fn) {
			fn = function(fn)
		}
		if !fn.Valid() || count(fn.ChildByField("body"), owner) != 1 || !parameter(fn, owner).Valid() || lines(e.Text) > maxLines {
			return
		}
		if user, ok := f.relied(fn, func(call syntax.Node) bool { return len(arguments(call)) > 1 }); ok {
			f.Report(e, "%s ignores %s when it looks a record up, so through %s users reach records of others by their ids.",
				where(fn.ChildByField("body")), owner, user)
		}
	}
	for n := range f.Root.Find("binary_expression", "call_expression") {
		if q, ok := sqlCall(n); ok {
			last := len(q.values) - 1
			if m := ownerColumn.FindStringIndex(strings.TrimRight(q.statement, " \n\t")); m != nil && q.values[last].Kind() == "identifier" &&
				ownerName.MatchString(q.values[last].Text()) {
				quote := q.text.Text()[:1]
				add(n, f.Edit(q.text.Start(), q.params.End(), q.first(last, quote, q.statement[:m[0]])), q.values[last].Text())
			}
			continue
		}
		left, sign, right := binary(n)
		if sign != "&&" {
			continue
		}
		_, inner, owner := binary(right)
		if inner == "===" && owner.Kind() == "identifier" && ownerName.MatchString(owner.Text()) {
			add(n, f.Replace(n, left.Text()), owner.Text())
		}
	}
}

// parameter is the parameter of a name, the zero node where the function has none.
func parameter(fn syntax.Node, name string) syntax.Node {
	return syntax.First(fn.ChildByField("parameters").NamedChildren(), func(n syntax.Node) bool {
		return n.ChildByField("pattern").Text() == name
	})
}

// first writes the two arguments with another statement that has only the first n values.
func (q sql) first(n int, quote, statement string) string {
	var values []string
	for _, v := range q.values[:n] {
		values = append(values, v.Text())
	}
	return quote + statement + quote + ", [" + strings.Join(values, ", ") + "]"
}
