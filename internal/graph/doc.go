// Package graph is the code graph of a codebase: which definitions there are, which file brings in which, and which place
// uses which definition, in every language that package syntax parses.
//
// [Build] works in two steps. The first takes the facts of each file out of its syntax tree (collect.go, with one table of
// node kinds for each family of languages): symbols, imports, local names, and references as chains, which are expressions
// as far as names go: a.b().c. Facts depend on a file's content alone, so a cache keeps them by content. The second step
// (link.go, resolve.go, edges.go) holds no syntax: it evaluates each chain where it stands. The first name is looked up by
// scope: local names, what is around the place, the file, its imports, its package; each further name is a member of what
// the chain stands for so far: of a module, a class and what it builds on, or of the type that an annotation, a
// constructor or a function's result says.
//
// The invariant: an [Exact] edge follows from scopes and imports, never from spelling. A name that leads out of the
// codebase leads nowhere in it: json.dumps is no other dumps, and a parameter hides a function of its name. Only where the
// receiver of a call is of unknown type are methods of that name considered: one that the file can reach is [Likely], two
// or three are [Possible], more are left out.
//
// [Graph.Variants] and [Graph.Outliers] compare: files that are nearly the same, function by function, and functions that
// differ from their siblings. They look at tokens (package graph/alike), not at the edges.
//
// It is no type checker. Types come from what stands next to a name; generic types, overloads by type, and what a program
// does to itself while it runs are not followed. The same codebase gives the same graph, whatever runs at once.
package graph
