// Package dataset reads the sets of programming tasks that models of code are measured and trained with, and brings
// each task into the one form that the rest of the program knows: what is asked, which function is called, and which
// trusted tests decide.
//
// [Open] reads a set by its name; each set is one file of this package behind one interface. A set is read from a copy
// that the user names, or fetched from where its authors publish it, and comes with its licence, its splits and the
// references that are known to fail.
//
// # Invariants
//
//   - A task's tests need nothing from a candidate but Entry and Names. Whatever else they use, such as a prompt's
//     own helper functions, is in Setup or Judge, which are trusted and never taken from a candidate.
//   - A program's definitions are read from its syntax tree, never guessed from its text.
//   - A file is hostile until read: lines, totals and what compressed data expands to are bounded, a broken row is
//     named by its line, no pickle is ever loaded, and two tasks never share an ID.
//
// # What it is not
//
// It runs nothing: references are judged like any other program, by the sandbox. It makes no prompts.
package dataset
