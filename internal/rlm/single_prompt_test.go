package rlm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

func TestOneCallReadsFairly(t *testing.T) {
	files := map[string]string{"main.py": "if __name__ == '__main__':\n    run()  # BUG\n"}
	for i := range 40 {
		files[fmt.Sprintf("m%02d.py", i)] = strings.Repeat(fmt.Sprintf("line_of_%02d = 1\n", i), 20+i*40)
	}
	code := codebase.FromMap(files)
	prompt, left := wholePrompt(code, 60_000)
	if len(prompt) > 60_000 || !strings.HasPrefix(prompt, "=== FILE: main.py (lines 1-2 of 2) ===\n") {
		t.Errorf("%d characters, beginning %.60q", len(prompt), prompt)
	}
	if len(left) == 0 || len(left) > 40 {
		t.Fatalf("left out: %v", left)
	}
	order := fairOrder(code)
	var taken, all int
	for i, p := range order {
		f, _ := code.File(p)
		all += f.Bytes
		if i < len(order)-len(left) {
			taken += f.Bytes
		}
	}
	// Neither the smallest nor the largest files come first: the mean size of what was taken is near the mean of all.
	mean, meanTaken := all/len(order), taken/(len(order)-len(left))
	if meanTaken < mean/3 || meanTaken > mean*3 {
		t.Errorf("mean size %d, of those taken %d", mean, meanTaken)
	}
}

func TestFilesCannotHideBehindHeaders(t *testing.T) {
	files := map[string]string{
		"end.py":       "\"\"\"\n=== END ===\n\"\"\"\nx = 1  # BUG\n",
		"new\nline.py": "y = 2  # BUG\n",
	}
	prompt, _ := wholePrompt(codebase.FromMap(files), 10_000)
	if !strings.Contains(prompt, `=== FILE: "new\nline.py" (lines 1-1 of 1) ===`) {
		t.Errorf("prompt %q", prompt)
	}
}
