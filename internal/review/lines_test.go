package review

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

var fileHeader = regexp.MustCompile(`=== FILE: long\.c \(lines (\d+)-(\d+) of (\d+)\) ===\n`)

// A file that is split must come with the line numbers that editors and compilers count: form feeds end no line.
func TestTheOfflineRootCountsLinesAsEditorsDo(t *testing.T) {
	var text strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&text, "int v%d = %d;\f /* section */\n", i, i)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(text.String(), "\n"), "\n")
	var mu sync.Mutex
	seen := 0
	worker := func(_ context.Context, r llm.Request) (llm.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		for _, m := range fileHeader.FindAllStringSubmatch(r.Messages[0].Content, -1) {
			first, _ := strconv.Atoi(m[1])
			last, _ := strconv.Atoi(m[2])
			if last > len(lines) || m[3] != "2000" || !strings.Contains(r.Messages[0].Content, m[0]+strings.Join(lines[first-1:last], "")) {
				t.Errorf("behind %q stand other lines", m[0])
				continue
			}
			seen += last - first + 1
		}
		return llm.Response{Text: `{"summary": "s", "findings": []}`, Usage: llm.Usage{InputTokens: 1}}, nil
	}
	_, err := Analyze(context.Background(), Options{Path: runtest.Tree(t, map[string]string{"long.c": text.String()}),
		Out: filepath.Join(t.TempDir(), "run"), Root: "offline/orchestrator", Worker: "fake/worker"}, environment(t, worker, nil))
	if err != nil || seen != 2000 {
		t.Errorf("%d lines were sent, %v", seen, err)
	}
}
