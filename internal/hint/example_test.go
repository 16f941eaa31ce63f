package hint_test

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/hint"
)

func Example() {
	err := hint.New("there is no model of that name", "`deeprepo models` lists them")
	err = fmt.Errorf("open the root: %w", err)
	fmt.Println("error:", err)
	fmt.Println("hint: ", hint.Of(err))
	// Output:
	// error: open the root: there is no model of that name
	// hint:  `deeprepo models` lists them
}
