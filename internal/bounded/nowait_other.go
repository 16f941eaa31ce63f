//go:build !unix

package bounded

// noWait is nothing: no pipe has a name in a directory here.
const noWait = 0
