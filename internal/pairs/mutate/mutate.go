package mutate

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Mutant is a program with one change.
type Mutant struct {
	// Operator names the kind of change, Line is where it is in the program, from 1.
	Operator string
	Line     int
	Code     string
}

// site is a place where an operator applies, and what would stand there.
type site struct {
	operator   string
	start, end int
	text       string
	line       int
}

// Python makes up to most mutants of a program, different ones, with as many different operators as there are places
// for; most < 1 makes all. The error is the parser's; a program that does not parse has no mutants.
func Python(ctx context.Context, parser *syntax.Parser, code string, most int, seed uint64) ([]Mutant, error) {
	tree, err := parser.Parse(ctx, "python", []byte(code))
	if err != nil {
		return nil, err
	}
	if tree.HasError() || tree.Truncated() {
		return nil, nil
	}
	var all []site
	for _, op := range operators() {
		for n := range tree.Root().Find(op.kinds...) {
			if outOfReach(n) {
				continue
			}
			for _, c := range op.changes(n) {
				all = append(all, site{op.name, c.start, c.end, c.text, n.Line()})
			}
		}
	}
	seen := map[string]bool{code: true}
	var out []Mutant
	for _, s := range spread(all, seed) {
		if most >= 1 && len(out) == most {
			break
		}
		changed := code[:s.start] + s.text + code[s.end:]
		if !seen[changed] {
			seen[changed] = true
			out = append(out, Mutant{s.operator, s.line, changed})
		}
	}
	return out, nil
}

// outOfReach are places where a change would not be a mistake in what is computed: types, and what runs only when the
// file is run by itself.
func outOfReach(n syntax.Node) bool {
	if n.Enclosing("type").Valid() {
		return true
	}
	for guard := n.Enclosing("if_statement"); guard.Valid(); guard = guard.Enclosing("if_statement") {
		if cond := guard.ChildByField("condition"); cond.Kind() == "comparison_operator" && cond.NamedChild(0).Text() == "__name__" {
			return true
		}
	}
	return false
}

// spread orders sites at random, one of each operator in turn, so that the first few are of many kinds.
func spread(all []site, seed uint64) []site {
	r := rand.New(rand.NewPCG(seed, 0x6d7574617465))
	byOperator := map[string][]site{}
	var names []string
	for _, s := range all {
		if _, ok := byOperator[s.operator]; !ok {
			names = append(names, s.operator)
		}
		byOperator[s.operator] = append(byOperator[s.operator], s)
	}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		of := byOperator[name]
		r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	}
	out := make([]site, 0, len(all))
	for i := 0; len(out) < len(all); i++ {
		for _, name := range names {
			if of := byOperator[name]; i < len(of) {
				out = append(out, of[i])
			}
		}
	}
	return slices.Clip(out)
}
