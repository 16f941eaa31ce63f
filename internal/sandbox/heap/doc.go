// Package heap reads the variables of an interpreter that stands still, out of its memory: which names of the REPL are
// there, what they are bound to, and what a cell changed of them. It knows the objects of CPython 3.13 as they lie in the
// memory of the embedded build (32-bit pointers, see ../cpython).
//
// The invariant: looking changes nothing and runs nothing. No code of the program is called (a hostile __repr__, __len__
// or __eq__ is never met), no step is counted, no byte of the memory is written; so a watched program does, bit for
// bit, what it does unwatched, and running it again gives the same result. Whatever stands in the memory, a look ends
// soon and stays inside it: every pointer is checked, every size, depth and number is bounded.
//
// # What counts as changed
//
// A name is new or deleted when it was not there before, or is not there any more. It is changed when its value has
// another fingerprint, which is taken of
//
//   - the content of None, bool, int, float, str and bytes;
//   - the elements of list, tuple, dict, set and frozenset, and of classes derived from list, tuple and dict: [Deep]
//     levels and [Nodes] objects deep by their content, so that changes in place are seen and a rebuilt equal value is
//     not a change; further elements by their identity, those in the middle of long containers not at all;
//   - the identity of everything else: an object of another class changes when its name is bound to another object, not
//     when its attributes do.
//
// Long texts, and numbers of more than [longInt] bytes, are compared by length, both ends and identity. Names that begin
// with an underscore, modules, and names behind the first [Names] are not looked at.
package heap
