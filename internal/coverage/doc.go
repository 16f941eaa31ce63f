// Package coverage keeps the ledger of which source lines really reached a model, and which it answered for.
//
// Coverage is by content, never by name. The rule, in full:
//
//   - Lines are compared without leading and trailing white space. Blank lines
//     are left out of the comparison and count with the line above them (at the
//     start of a file, with the line below). A line number in front of a prompt's
//     line ("12: x", "12\tx", "  12 | x", "L12 x") is stripped, and text that
//     stands in a prompt as an escaped string (Python's repr, JSON) is read as
//     the lines that it holds.
//   - A line counts when it stands in a run: three or more consecutive lines of
//     one file that are consecutive in the prompt, or the whole file when that is
//     shorter. At the ends of a run a line that is cut counts when at least half
//     of it is there. A line longer than 512 bytes is taken as the pieces that
//     its content splits it into, and counts when half of them do.
//   - A run that lies inside a longer run of another file gives nothing: the text
//     is the other file's. So the licence header of a pasted file covers no line
//     of the other files that open with it, and a pasted file covers nothing of
//     its near-duplicates. A run that starts a file and directly follows a line
//     of the prompt that names this file counts in any case.
//   - Where the same prompt text is equally long a run in several files, it goes
//     to the one whose name it follows; else to those whose path the prompt
//     holds; else to those that it is the whole of; else to those with the most
//     lines in this prompt; and to none when more than eight remain. Runs are
//     found by three-line windows that at most 32 different files share: text
//     commoner than that counts only as part of a run that also holds something
//     rarer, or as a whole file, or at the start of a file under its name.
//   - Files of identical content are one: what covers one covers all.
//   - A file without a line that is not blank is covered from the start.
//
// The invariant: what a prompt covers depends on the codebase and that prompt
// alone, so the ledger is monotone and does not depend on the order of dispatches.
//
// The package does not judge whether a model used what it was given.
package coverage
