package rules_test

import (
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func Example() {
	ctx := context.Background()
	parser, err := syntax.Open(ctx, syntax.Config{})
	if err != nil {
		panic(err)
	}
	defer parser.Close()
	source := "def find(cur, name):\n    cur.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n"
	matches, err := rules.NewSet(parser, rules.All()).Check(ctx, "users.py", "python", []byte(source))
	if err != nil {
		panic(err)
	}
	for _, m := range matches {
		fmt.Printf("line %d: %s, %s (%s)\n", m.Line, m.Title, m.Detail, m.CWE)
	}
	// Output: line 2: SQL statement built by pasting values into text, through a parameter (CWE-89)
}
