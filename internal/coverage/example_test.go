package coverage_test

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
)

// Naming a file covers nothing; its text does.
func Example() {
	code := codebase.FromMap(map[string]string{
		"a.py": "import os\n\ndef run(cmd):\n    os.system(cmd)\n",
		"b.py": "LIMIT = 3\nSTEP = 1\nSTART = 0\n",
	})
	ledger := coverage.New(code)
	ledger.Dispatch("Please review a.py and b.py.")
	fmt.Println("named:", ledger.Fraction())
	ledger.Dispatch("Review this:\n=== FILE: a.py ===\nimport os\n\ndef run(cmd):\n    os.system(cmd)\n=== END ===")
	fmt.Printf("sent:  %.2f, not yet %v\n", ledger.Fraction(), ledger.Uncovered())
	// Output:
	// named: 0
	// sent:  0.57, not yet [b.py]
}
