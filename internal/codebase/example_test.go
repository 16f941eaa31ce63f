package codebase_test

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

func Example() {
	c := codebase.FromMap(map[string]string{
		"cmd/shop/main.go":   "package main\n\nfunc main() {}\n",
		"internal/cart/a.go": "package cart\n",
	})
	fmt.Println(c.Stats().Files, "files; begin at", c.EntryPoints())
	fmt.Println(c.Paths())
	// Output:
	// 2 files; begin at [cmd/shop/main.go]
	// [cmd/shop/main.go internal/cart/a.go]
}
