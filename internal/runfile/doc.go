// Package runfile declares the shapes of the files that a run leaves in its directory: its writer and its readers
// use the same structs, so that a field has one name, one order and one meaning.
//
// A shape is data: fields, their JSON names and what they mean. How a file comes about, whether it may be believed and how it
// is shown stands with those who do that. JSON keeps its bytes: fields are written in the order in which they are declared,
// "omitempty" and "omitzero" leave out what was never written, and a list that readers may count on is never null.
//
// What is read out of a directory may be a stranger's: package bounded decodes it, and its readers check what it holds.
package runfile
