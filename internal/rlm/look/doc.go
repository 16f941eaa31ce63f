// Package look is the root's eyes: what grep, show and tree print of a codebase.
//
// The functions read the snapshot and nothing else, and their output is bounded whatever a model asks for. Patterns are
// RE2's (https://github.com/google/re2/wiki/Syntax), which match in linear time.
package look
