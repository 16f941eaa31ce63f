// Package alike finds pieces of code that are nearly the same, and says where each departs from what most of them do.
//
// It looks at tokens, not trees, so it takes any language. [Groups] puts pieces together whose runs of four tokens are much
// the same when names, numbers and strings count for nothing; it compares only those that share a bucket of hashes, so its
// cost grows with the number of pieces. [Compare] aligns the pieces of one group with what most of them say: names that
// most share must be equal, other names must stand where they stand in the others, that is, be equal to each other at the
// same places.
//
// What a file is named after ([Own]) counts as equal in all of them, in any case style. Where indentation is what holds code
// together, [Indented] makes tokens of it.
package alike
