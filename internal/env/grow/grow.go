// Package grow makes codebases out of a seed: realistic projects of several modules, of any size from seven files up,
// that parse and (in Python, where the sandbox can run them) pass their own tests.
//
// One sub-package a language holds its templates. Training and held-out tasks share neither templates nor domains: what
// a policy memorised of the one is of no use in the other.
//
// Invariant: equal arguments give equal texts, byte for byte, on every machine.
package grow

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// Template makes projects of one kind.
type Template struct {
	Name     string // "python/record-service"
	Language string // python, typescript, go, java
	Split    string // env.Train or env.Heldout
	About    string // one line
	// Grow writes the project. It must give exactly s.Files files (seven at least), README and tests included, and use
	// no randomness but s.Rand.
	Grow func(s Spec) map[string]string
}

// Spec is what a template grows a project from.
type Spec struct {
	Name   string // of the project, snake_case
	Files  int    // exactly that many
	Rand   *rand.Rand
	Domain Domain
}

// MinFiles is the smallest project.
const MinFiles = 7

// Grow makes the project of a template for a seed.
func Grow(t Template, seed int64, files int) (name string, texts map[string]string, err error) {
	if files < MinFiles {
		return "", nil, fmt.Errorf("%d files are too few: a project has %d at least", files, MinFiles)
	}
	h := fnv.New64a() // keeps two templates of one seed apart
	h.Write([]byte(t.Name))
	r := rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
	domain := pick(r, domains(t.Split))
	domain.aspects, domain.fields = words(t.Split)
	name = domain.Name + "_" + pick(r, suffixes(t.Split))
	texts = t.Grow(Spec{Name: name, Files: files, Rand: r, Domain: domain})
	if len(texts) != files {
		return "", nil, fmt.Errorf("template %s grew %d files, wanted %d", t.Name, len(texts), files)
	}
	return name, texts, nil
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// Kind is the type of a field, as every language has it.
type Kind int

// The kinds of field.
const (
	Text  Kind = iota // a short string
	Email             // a string with an address
	Cents             // an amount of money in cents, integer
	Count             // a number that is not negative
	Ratio             // a fraction between 0 and 1
	Time              // a moment, in seconds since 1970
	Flag              // true or false
	State             // one of a few words, see Field.Words
	Tags              // a list of words
)

// Field is one field of an entity.
type Field struct {
	Name  string // snake_case
	Kind  Kind
	Words []string // of a State
}

// Entity is one kind of record.
type Entity struct {
	Name   string // snake_case, singular: "loan_request"
	Fields []Field
}

// Domain is what a project is about.
type Domain struct {
	Name    string // snake_case
	nouns   []string
	aspects []string
	actors  []string
	verbs   []string
	fields  []Field
}

// Actor is a word for a person of the domain, Verb one for what they do.
func (d Domain) Actor(r *rand.Rand) string { return pick(r, d.actors) }

// Verb is a word for something that is done in the domain.
func (d Domain) Verb(r *rand.Rand) string { return pick(r, d.verbs) }

// Entities makes n different kinds of record, each with three to seven fields of which the first is Text.
func (d Domain) Entities(r *rand.Rand, n int) []Entity {
	names := slices.Clone(d.nouns)
	r.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
	var composed []string
	for _, noun := range d.nouns {
		for _, aspect := range d.aspects {
			composed = append(composed, noun+"_"+aspect)
		}
	}
	r.Shuffle(len(composed), func(a, b int) { composed[a], composed[b] = composed[b], composed[a] })
	names = append(names, composed...)
	for i := 2; len(names) < n; i++ {
		for _, c := range composed {
			names = append(names, fmt.Sprintf("%s_%d", c, i))
		}
	}
	entities := make([]Entity, 0, n)
	for _, name := range names[:n] {
		fields := slices.Clone(d.fields)
		r.Shuffle(len(fields), func(a, b int) { fields[a], fields[b] = fields[b], fields[a] })
		fields = fields[:3+r.IntN(min(5, len(fields)-3))]
		if i := slices.IndexFunc(fields, func(f Field) bool { return f.Kind == Text }); i >= 0 {
			fields[0], fields[i] = fields[i], fields[0]
		} else {
			fields = append([]Field{{Name: "label", Kind: Text}}, fields...)
		}
		entities = append(entities, Entity{Name: name, Fields: fields})
	}
	return entities
}
