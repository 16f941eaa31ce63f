// Package locate ranks the files and functions of a codebase by how likely a text (an issue, a question, a stack trace)
// asks for a change there. No model is asked.
package locate
