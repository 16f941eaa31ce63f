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
	return []grow.Template{
		{
			Name: "python/record-service", Language: "python", Split: env.Train,
			About: "records behind HTTP-style handlers, with SQL stores, sessions and roles",
			Grow:  func(s grow.Spec) map[string]string { return write(s, "record", recordService()) },
		},
		{
			Name: "python/batch-report", Language: "python", Split: env.Train,
			About: "files in, through stages into a ledger, reports out; functions and tuples",
			Grow:  func(s grow.Spec) map[string]string { return write(s, "batch", batchReport()) },
		},
		{
			Name: "python/event-relay", Language: "python", Split: env.Heldout,
			About: "events through a bus to plugins, with an outbox, signatures and projections",
			Grow:  func(s grow.Spec) map[string]string { return write(s, "relay", eventRelay()) },
		},
		{
			Name: "python/console", Language: "python", Split: env.Heldout,
			About: "a command line over journals: analysis, a cache, a scheduler",
			Grow:  func(s grow.Spec) map[string]string { return write(s, "console", console()) },
		},
	}
}
