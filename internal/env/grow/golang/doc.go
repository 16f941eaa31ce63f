// Package golang holds the project templates for Go. The training ones are an HTTP service over a SQL database and an
// import pipeline of files; the held-out ones an event relay with plugins and a command-line tool.
//
// Invariants: every grown project type-checks, is gofmt-ed, and holds no defect on purpose: what is planted into it
// later is all there is to find. A project of n files is the first n of a list in which each file needs only earlier
// ones, so small projects are whole too.
package golang

import "github.com/deeprepo/deeprepo/internal/env/grow"

// Templates lists the templates for Go.
func Templates() []grow.Template {
	return []grow.Template{recordService(), batchImport(), eventRelay(), tallyCLI()}
}
