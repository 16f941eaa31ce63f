// Package typescript grows TypeScript projects: two kinds for training, two held out that share no text, layout or
// idiom with them.
//
// The text of the files lies in templates/, one folder a kind, as Go templates with the marks <% and %>; a plan says in which order
// a project gets its files. A file imports only what stands before it in the plan, or asks whether it is there.
//
// Invariant: what is grown is right. Statements are parameterised, paths checked, locks held, handles closed: a defect
// in a task is one that was planted.
package typescript

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
)

//go:embed templates
var texts embed.FS

// Templates lists the kinds of project.
func Templates() []grow.Template {
	return []grow.Template{
		kind("record-service", env.Train, "an HTTP service that keeps records in an SQL store", recordPlan()),
		kind("intake-pipeline", env.Train, "a batch pipeline from files to a database and reports", intakePlan()),
		kind("event-relay", env.Heldout, "a queue processor with plugins", relayPlan()),
		kind("console", env.Heldout, "a command-line tool with a cache and a scheduler", consolePlan()),
	}
}

func kind(name, split, about string, p plan) grow.Template {
	return grow.Template{
		Name: "typescript/" + name, Language: "typescript", Split: split, About: about,
		Grow: func(s grow.Spec) map[string]string { return p.grow(s) },
	}
}

// part is one file of a project.
type part struct {
	path string // with %s for the entity's name where the part is an entity's
	text string // of its template, in the plan's folder
}

// plan says what files a project gets: base first (7 of them), then in turn one of shared and one of the first entity's
// further parts until those are used up, then all parts of the second entity, and so on.
type plan struct {
	folder string                // below templates
	path   func(e entity) string // what stands for %s
	base   []part
	shared []part
	more   []part // further parts of every entity, after the base's
}

// file is one file that a project will have.
type file struct {
	path, text string
	entity     *entity
}

// files chooses n files.
func (p plan) files(n int, entities []*entity) []file {
	var out []file
	add := func(list []part, e *entity, entityOnly bool) {
		for _, x := range list {
			own := strings.Contains(x.path, "%s")
			if len(out) == n || entityOnly && !own {
				continue
			}
			f := file{path: x.path, text: x.text, entity: entities[0]}
			if own {
				f.path, f.entity = strings.ReplaceAll(x.path, "%s", p.path(*e)), e
			}
			out = append(out, f)
		}
	}
	add(p.base, entities[0], false)
	for i := range max(len(p.shared), len(p.more)) {
		if i < len(p.shared) {
			add(p.shared[i:i+1], entities[0], false)
		}
		if i < len(p.more) {
			add(p.more[i:i+1], entities[0], false)
		}
	}
	for _, e := range entities[1:] {
		add(p.base, e, true)
		add(p.more, e, true)
	}
	return out
}

// own counts the base's parts that every entity has.
func (p plan) own() int {
	n := 0
	for _, x := range p.base {
		if strings.Contains(x.path, "%s") {
			n++
		}
	}
	return n
}

func (p plan) grow(s grow.Spec) map[string]string {
	each := p.own() + len(p.more)
	made := s.Domain.Entities(s.Rand, max(1, 1+(s.Files+each-1)/each))
	entities := make([]*entity, len(made))
	for i, e := range made {
		entities[i] = newEntity(e)
	}
	list := p.files(s.Files, entities)
	has := map[string]bool{}
	for _, f := range list {
		has[f.path] = true
	}
	var present []*entity
	for _, e := range entities {
		if strings.Contains(p.base[0].path, "%s") || has[strings.ReplaceAll(p.first(), "%s", p.path(*e))] {
			present = append(present, e)
		}
	}
	t := template.Must(template.New("").Delims("<%", "%>").Funcs(template.FuncMap{
		"alt":  func(options ...string) string { return options[s.Rand.IntN(len(options))] },
		"flip": func() bool { return s.Rand.IntN(2) == 0 },
		"num":  func(low, high int) int { return low + s.Rand.IntN(high-low+1) },
		"add":  func(a, b int) int { return a + b },
		"has":  func(path string) bool { return has[path] },
	}).ParseFS(texts, "templates/"+p.folder+"/*"))
	out := make(map[string]string, len(list))
	actor, verb := s.Domain.Actor(s.Rand), s.Domain.Verb(s.Rand)
	var b strings.Builder
	for _, f := range list {
		b.Reset()
		d := page{Project: s.Name, Domain: s.Domain.Name, Actor: grow.Camel(actor), Verb: verb, E: f.entity, First: f.entity == entities[0],
			Entities: present, Path: f.path}
		if err := t.ExecuteTemplate(&b, f.text, d); err != nil {
			panic(fmt.Sprintf("the template of %s is broken: %v", f.path, err)) // found by the first test of it
		}
		out[f.path] = b.String()
	}
	return out
}

// first is the path of the first part that is an entity's.
func (p plan) first() string {
	for _, x := range p.base {
		if strings.Contains(x.path, "%s") {
			return x.path
		}
	}
	return ""
}

// page is what a template is written with.
type page struct {
	Project, Domain, Actor, Verb, Path string
	E                                  *entity
	First                              bool // E is the project's first entity
	Entities                           []*entity
}

// Listed are the entities that a file names which names them all, unless they are too many.
func (p page) Listed() []*entity { return p.Entities[:min(len(p.Entities), 24)] }
