package recipe

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTaught(t *testing.T) {
	from := t.TempDir()
	r := &run{o: Options{From: from}, c: Config{Out: t.TempDir()}}
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(r.c.Out, "after", "traces.jsonl"),
		`{"events":[{"kind":"root"},{"cell":{"code":"print(1)"}},{"cell":{"code":"print(1)","error_type":"NameError"}}]}`+"\n"+
			`{"events":[{"cell":{"code":"print(2)"}},{"cell":{"code":"a"}}]}`+"\n")
	if words, err := r.taught(); words != "" || err != nil {
		t.Errorf("without demonstrations it says %q, %v", words, err)
	}
	put(filepath.Join(from, "sft", "demonstrations.jsonl"),
		`{"task":"t","policy":"p","reward":1,"exchanges":[{"view":"v","cell":"print(1)"},{"view":"w","cell":"a"}]}`+"\n")
	if words, err := r.taught(); err != nil || !strings.HasPrefix(words,
		"Of the 3 cells that ran without an error afterwards, 2 (67%) stand word for word in the demonstrations") {
		t.Errorf("it says %q, %v", words, err)
	}
}
