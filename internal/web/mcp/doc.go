// Package mcp serves deeprepo's tools to agents over the Model Context Protocol: reviews, what they found, the code graph,
// coverage, programs in the sandbox and judged samples.
//
// Tools take paths, not contents. A path counts only below the server's roots, and below the client's own where it names
// some, links resolved; so does a run, by the codebase that it is of. Without Config.Dismiss nothing is written but runs in
// Config.Runs, and without Config.Budget no model that costs money is asked; no client can change either.
//
// What a repository, a model or a program says is data: results are structured, and characters that act instead of being
// seen are written out in every text of them (clean.go). Errors are results, too, with a hint.
package mcp
