package sandbox_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// A REPL with one host function. The worker process is this test program, see TestMain.
func Example() {
	ctx := context.Background()
	engine, err := sandbox.Open(ctx, sandbox.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	session, err := engine.NewSession(ctx, sandbox.SessionConfig{
		Prelude: "import _host\ndef shout(text): return _host.call('shout', text.encode()).decode()",
		Host: func(_ context.Context, name string, payload []byte) ([]byte, error) {
			return []byte(strings.ToUpper(string(payload)) + "!"), nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, cell := range []string{"word = shout('hello')", "word.center(10, '-')", "word / 2"} {
		result, err := session.Run(ctx, cell)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(result.Output)
		if result.Error != nil {
			fmt.Println(result.Error)
		}
	}
	// Output:
	// '--HELLO!--'
	// TypeError: unsupported operand type(s) for /: 'str' and 'int'
}
