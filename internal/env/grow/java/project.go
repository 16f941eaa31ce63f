package java

import (
	"path"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// project is one project while it is grown.
type project struct {
	grow.Spec
	layout   layout
	base     string // package of the whole project: "com.acme.library"
	values   grow.Values
	files    []file
	packages map[string]string // package of each class of the project
}

// file is one planned file.
type file struct {
	text   string // name of its template
	path   string
	pkg    string // "" for one that is not Java
	values grow.Values
}

func (l layout) grow(s grow.Spec) map[string]string {
	p := &project{Spec: s, layout: l, base: l.group + "." + strings.ReplaceAll(s.Name, "_", ""), packages: map[string]string{}}
	entities := s.Domain.Entities(s.Rand, 2+s.Files/l.perEntity)
	p.values = p.shared(s.Domain.Actor(s.Rand))
	p.plan(l.start, entities[0])
	for _, e := range entities[1:] {
		p.plan(l.more, e)
	}
	out := make(map[string]string, len(p.files))
	for _, f := range p.files {
		out[f.path] = p.write(f)
	}
	return out
}

// plan plans files until there are enough.
func (p *project) plan(names string, e grow.Entity) {
	if len(p.files) == p.Files {
		return
	}
	values := p.values.With(entity(e))
	values["fields"], values["first"] = grow.FieldValues(e, values, p.fieldNames)
	for name := range strings.FieldsSeq(names) {
		if len(p.files) == p.Files {
			return
		}
		f := file{text: p.layout.name + "/" + name, path: name, values: values}
		if root, place, ok := strings.Cut(grow.FillName(name, values), "/"); ok {
			f.path = "src/" + root + "/java/" + strings.ReplaceAll(p.base, ".", "/") + "/" + place
			f.pkg = p.base
			if dir := path.Dir(place); dir != "." {
				f.pkg += "." + strings.ReplaceAll(dir, "/", ".")
			}
			p.packages[strings.TrimSuffix(path.Base(place), ".java")] = f.pkg
		}
		p.files = append(p.files, f)
	}
}

func (p *project) write(f file) string {
	text := texts().Fill(f.text, p.own(f.values))
	if f.pkg == "" {
		return text
	}
	text = p.shuffled(text)
	return p.header(f.pkg, text) + text
}

// What a text writes in front of members that come in any order, and between two that stay together.
const (
	shuffleMark = "\x00"
	joinMark    = "\x01"
)

var blank = regexp.MustCompile(`\n{2,}`)

// shuffled gives the members behind the shuffle mark another order.
func (p *project) shuffled(text string) string {
	head, rest, ok := strings.Cut(text, shuffleMark)
	if !ok {
		return text
	}
	members := blank.Split(strings.Trim(strings.TrimSuffix(rest, "}\n"), "\n"), -1)
	p.Rand.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	gap := "\n\n"
	if head = strings.TrimRight(head, "\n"); strings.HasSuffix(head, "{") {
		gap = "\n"
	}
	return head + gap + strings.ReplaceAll(strings.Join(members, "\n\n"), joinMark, "\n") + "\n}\n"
}

// one chooses among variants of one thing.
func (p *project) one(variants ...string) string { return variants[p.Rand.IntN(len(variants))] }

func (p *project) number(low, high int) int { return low + p.Rand.IntN(high-low+1) }
