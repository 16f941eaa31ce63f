package syntax_test

import (
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

func Example() {
	ctx := context.Background()
	p, err := syntax.Open(ctx, syntax.Config{})
	if err != nil {
		panic(err)
	}
	defer p.Close()
	tree, err := p.Parse(ctx, "python", []byte("def run(cmd):\n    os.system(cmd)\n"))
	if err != nil {
		panic(err)
	}
	for call := range tree.Root().Find("call") {
		in := call.Enclosing("function_definition").ChildByField("name")
		fmt.Printf("line %d: %s calls %s\n", call.Line(), in.Text(), call.ChildByField("function").Text())
	}
	// Output: line 2: run calls os.system
}
