// Package golang holds the project templates for Go. The training ones are an HTTP service over a SQL database and an
// import pipeline of files; the held-out ones an event relay with plugins and a command-line tool.
//
// The text of each file lies below templates, one directory a template, at the path that it has in a project; grow.Texts
// says what is marked in it. names.go says which values there are, the file of each template which files make a project.
//
// Invariants: every grown project type-checks, is gofmt-ed, and holds no defect on purpose: what is planted into it
// later is all there is to find. A project of n files is the first n of a list in which each file needs only earlier
// ones, so small projects are whole too.
package golang

import (
	"embed"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
)

//go:embed all:templates
var files embed.FS

var texts = sync.OnceValue(func() grow.Texts { return grow.ReadTexts(files) })

// Templates lists the templates for Go.
func Templates() []grow.Template {
	template := func(name, split, about string, of func() design) grow.Template {
		return grow.Template{Name: "go/" + name, Language: "go", Split: split, About: about,
			Grow: func(s grow.Spec) map[string]string { return write(s, of()) }}
	}
	return []grow.Template{
		template("record-service", env.Train, "an HTTP service with accounts and sessions over records in a SQL database", recordService),
		template("batch-import", env.Train, "an import pipeline: leased files of an inbox, readers of lines, a ledger in SQL, reports",
			batchImport),
		template("event-relay", env.Heldout, "an event relay: sealed messages, a queue, one plugin a topic, outlets to other hosts",
			eventRelay),
		template("tally-cli", env.Heldout,
			"a command-line tool for series of numbers: one package a topic, a store on disk, a scheduler, a fetcher", tallyCLI),
	}
}
