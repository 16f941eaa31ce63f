package redact_test

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/redact"
)

func Example() {
	text, n := redact.New().Redact("host = \"db1\"\npassword = \"vX9!qL2#tRw8\"\n")
	fmt.Print(n, " secret\n", text)
	// Output:
	// 1 secret
	// host = "db1"
	// password = "[REDACTED:secret]"
}
