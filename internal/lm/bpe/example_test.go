package bpe_test

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

func ExampleTrain() {
	texts := []string{strings.Repeat("for p in files:\n    print(codebase[p][:80])\n", 10)}
	t, err := bpe.Train(texts, 512, []string{"<|end|>"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var tokens []string
	for _, id := range t.Encode("for p in files:\n    print(p)\n<|end|>") {
		tokens = append(tokens, t.Text(id))
	}
	fmt.Printf("%q\n", tokens)
	end, _ := t.Special("<|end|>")
	fmt.Println(t.Decode(append(t.Encode("print("), end)))
	// Output:
	// ["for" " p" " in" " files" ":" "\n    " "print(" "p" ")" "\n" "<" "|" "e" "n" "d" "|" ">"]
	// print(<|end|>
}
