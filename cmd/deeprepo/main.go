// Command deeprepo reviews whole codebases with a recursive language model.
package main

import (
	"os"

	"github.com/deeprepo/deeprepo/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
