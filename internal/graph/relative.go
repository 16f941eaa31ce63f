package graph

import (
	"strconv"

	"github.com/deeprepo/deeprepo/internal/graph/alike"
	"github.com/deeprepo/deeprepo/internal/language"
)

// relative is a file of a family, cut into its parts.
type relative struct {
	path  string
	own   *alike.Own
	parts map[string]piece
	rest  map[string]int // lines outside of all parts, without the file's own name, and where each stands
}

// piece is a part of a file: what belongs to a symbol, without the parts within it.
type piece struct {
	symbol *Symbol
	tokens []alike.Token
}

// relative cuts a file into its parts.
func (g *Graph) relative(path string, own *alike.Own) relative {
	r := relative{path: path, own: own, parts: map[string]piece{}, rest: map[string]int{}}
	text, _ := g.code.Text(path)
	info, _ := g.code.File(path)
	in := make([]string, info.Lines+2) // the part that each line belongs to
	count := map[string]int{}
	symbols := g.Symbols(path)
	if len(symbols) == 0 {
		symbols = []*Symbol{{File: path, Qualified: "all", Kind: KindFunction, Line: 1, EndLine: info.Lines, in: -1, facts: &symbol{}}}
	}
	for _, s := range symbols {
		if s.Kind.holder() || s.facts.Declared || !s.Kind.callable() && s.in >= 0 && g.symbols[s.in].Kind.callable() {
			continue
		}
		if outer := r.parts[in[s.Line]].symbol; outer != nil && outer.Line == s.Line {
			continue // one that stands in another's first line stays there
		}
		name := own.Without(s.Qualified)
		if count[name]++; count[name] > 1 {
			name += "#" + strconv.Itoa(count[name])
		}
		r.parts[name] = piece{symbol: s}
		for n := s.Line; n <= s.EndLine; n++ {
			in[n] = name
		}
	}
	var line []alike.Token
	end := func() {
		if len(line) > 0 {
			if bare, ok := alike.Line(line); ok {
				r.rest[bare] = int(line[0].Line)
			}
			line = nil
		}
	}
	for _, t := range alike.Tokens(language.Family(info.Language), text, 1, own) {
		if name := in[t.Line]; name != "" {
			p := r.parts[name]
			p.tokens = append(p.tokens, t)
			r.parts[name] = p
			continue
		}
		if len(line) > 0 && line[0].Line != t.Line {
			end()
		}
		line = append(line, t)
	}
	end()
	if language.Family(info.Language) == "python" {
		for name, p := range r.parts {
			p.tokens = alike.Indented(p.tokens)
			r.parts[name] = p
		}
	}
	return r
}
