// Package python grows Python projects that run their own tests with the standard library alone.
//
// The text of each project lies below templates/, one directory a template, in text/template with the delimiters
// <% and %>; plan.go says in which order files join a project as it grows, render.go what a template may ask for.
//
// Invariant: a grown project is right. Its tests pass (RunTests shows it), its statements are parameterised, its locks are
// held and its files closed, so that whatever is wrong after planting was planted.
//
// It plants nothing itself.
package python

import (
	"embed"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
)

//go:embed templates
var templates embed.FS

// Templates gives the templates in a fixed order.
func Templates() []grow.Template {
	template := func(name, split, about, dir string, of func() design) grow.Template {
		return grow.Template{Name: "python/" + name, Language: "python", Split: split, About: about,
			Grow: func(s grow.Spec) map[string]string { return write(s, dir, of()) }}
	}
	return []grow.Template{
		template("record-service", env.Train, "records behind HTTP-style handlers, with SQL stores, sessions and roles", "record",
			recordService),
		template("batch-report", env.Train, "files in, through stages into a ledger, reports out; functions and tuples", "batch",
			batchReport),
		template("event-relay", env.Heldout, "events through a bus to plugins, with an outbox, signatures and projections", "relay",
			eventRelay),
		template("console", env.Heldout, "a command line over journals: analysis, a cache, a scheduler", "console", console),
	}
}
