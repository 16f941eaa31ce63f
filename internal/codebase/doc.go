// Package codebase takes an immutable snapshot of a repository: paths, texts,
// languages and a content hash.
//
// [Load] reads a directory (through git where git answers, by its own walk and
// .gitignore matcher where not), a commit out of a git object store, or a bare
// repository. [FromMap] makes a snapshot of texts that stand in no directory.
// [Codebase.Pack] and [Unpack] take one to another machine.
//
// The invariant: after Load returns nothing is read from disk again, every text
// is valid UTF-8, every path is valid UTF-8, relative, slash-separated and below
// the root, and whatever was left out stands in [Codebase.Skipped] with its
// reason and who wanted it, except what .gitignore files name.
//
// The repository is hostile. Only regular files are opened, patterns of its ignore
// files have a budget of work, git is given up when it says nothing, and a file of
// source code that the repository hides is counted as one that was not read.
//
// The package does not parse code, does not escape paths for terminals or HTML
// (only [Codebase.Tree] quotes control characters, because a model reads it) and
// does not talk to the network: a remote repository is cloned by its user.
package codebase
