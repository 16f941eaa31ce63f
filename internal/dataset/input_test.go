package dataset

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// aRow is a good row of MBPP.
func aRow(id any) map[string]any {
	return map[string]any{"task_id": id, "text": "Add.", "code": "def add(a, b):\n    return a + b", "test_setup_code": "",
		"test_list": []string{"assert add(1, 2) == 3"}}
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestContainers: the same rows, however they are packed.
func TestContainers(t *testing.T) {
	a, b := jsonOf(t, aRow(601)), jsonOf(t, aRow(602))
	for name, text := range map[string]string{
		"jsonl":               a + "\n" + b + "\n",
		"no last newline":     a + "\n" + b,
		"windows":             a + "\r\n" + b + "\r\n",
		"blank lines":         "\n\n" + a + "\n  \n" + b + "\n\n",
		"list":                "[" + a + ",\n " + b + "]\n",
		"list after blanks":   " \t[" + a + "," + b + "]",
		"gzip":                gzipped(t, a+"\n"+b+"\n"),
		"gzip of a list":      gzipped(t, "["+a+","+b+"]"),
		"byte order mark":     "\ufeff" + a + "\n" + b,
		"gzip in two members": gzipped(t, a+"\n") + gzipped(t, b+"\n"),
	} {
		s, err := Open(t.Context(), "mbpp", Options{Data: file(t, "any.name", text), Parser: runtest.OpenParser})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(s.Tasks) != 2 || s.Tasks[0].ID != "MBPP/601" || s.Tasks[1].ID != "MBPP/602" {
			t.Errorf("%s: tasks %v", name, s.Tasks)
		}
	}
}

func TestBrokenFiles(t *testing.T) {
	good := jsonOf(t, aRow(601))
	with := func(field string, v any) string {
		row := aRow(602)
		row[field] = v
		return jsonOf(t, row)
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"cut line":           {good + "\n" + good[:40], []string{"line 2", "broken JSON"}},
		"no JSON":            {good + "\n\nhello\n", []string{"line 3", "broken JSON"}},
		"a number":           {good + "\n17\n", []string{"line 2", "a number where a object belongs"}},
		"wrong type":         {good + "\n" + with("test_list", "assert"), []string{"line 2", `field "test_list" holds a string where a list belongs`}},
		"wrong type inside":  {good + "\n" + with("test_list", []any{1}), []string{"line 2", "test_list", "number", "string"}},
		"wrong id":           {good + "\n" + with("task_id", "eleven"), []string{"line 2", "task_id", "eleven"}},
		"no text":            {good + "\n" + with("text", ""), []string{"line 2", "text"}},
		"no tests":           {good + "\n" + with("test_list", []any{}), []string{"line 2", "test_list"}},
		"nothing called":     {good + "\n" + with("test_list", []string{"assert other(1)"}), []string{"line 2", "call nothing that its code defines"}},
		"twice":              {good + "\n" + good, []string{"line 2", "MBPP/601", "line 1"}},
		"twice, other case":  {good + "\n" + jsonOf(t, aRow("Mbpp/601")), []string{"line 2", "MBPP/601", "line 1"}},
		"empty":              {"", []string{"no tasks"}},
		"blanks":             {" \n \n", []string{"no tasks"}},
		"list of nothing":    {"[]", []string{"no tasks"}},
		"list without end":   {"[" + good, []string{"the list has no end"}},
		"list, broken entry": {"[" + good + ", {]", []string{"entry 2", "broken JSON"}},
		"more than a list":   {"[" + good + "] 1", []string{"more after the list"}},
		"cut gzip":           {gzipped(t, strings.Repeat(good, 1000))[:100], []string{"line 1"}},
		"broken gzip":        {"\x1f\x8b" + good, []string{"gzip"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data.jsonl", c.text), Parser: runtest.OpenParser})
			wantError(t, err, append(c.want, "data.jsonl")...)
		})
	}
}

// TestUnknownFields: files that carry more than is read are fine.
func TestUnknownFields(t *testing.T) {
	row := aRow(601)
	row["note"] = map[string]any{"by": []int{1}}
	one(t, "mbpp", row)
}

func TestBounds(t *testing.T) {
	t.Run("gzip bomb", func(t *testing.T) {
		bomb := gzipped(t, strings.Repeat(" ", 8<<20))
		_, err := Open(t.Context(), "mbpp", Options{Data: file(t, "bomb.gz", bomb), Parser: runtest.OpenParser, MaxBytes: 1 << 20})
		wantError(t, err, "more than 1048576 bytes")
	})
	t.Run("file of exactly as much", func(t *testing.T) {
		text := jsonOf(t, aRow(601))
		if _, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data", text), Parser: runtest.OpenParser,
			MaxBytes: int64(len(text))}); err != nil {
			t.Error(err)
		}
		_, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data", text), Parser: runtest.OpenParser, MaxBytes: int64(len(text)) - 1})
		wantError(t, err, "more than")
	})
	t.Run("endless line", func(t *testing.T) {
		path := file(t, "data", "")
		if err := os.Truncate(path, maxLine+1<<20); err != nil { // a hole in a file: NULs that take no room
			t.Fatal(err)
		}
		_, err := Open(t.Context(), "mbpp", Options{Data: path, Parser: runtest.OpenParser})
		wantError(t, err, "line 1", "over 134217728 bytes")
	})
	t.Run("deep", func(t *testing.T) {
		_, err := open(t, "mbpp", strings.Repeat(`{"a":`, 100_000))
		wantError(t, err, "line 1")
	})
}

func TestNoSuchFile(t *testing.T) {
	_, err := Open(t.Context(), "mbpp", Options{Data: t.TempDir() + "/none.jsonl", Parser: runtest.OpenParser})
	wantError(t, err, "none.jsonl")
	_, err = Open(t.Context(), "mbpp", Options{Data: t.TempDir(), Parser: runtest.OpenParser})
	wantError(t, err, "a directory")
	_, err = Open(t.Context(), "mbpp", Options{Data: "/dev/null", Parser: runtest.OpenParser})
	wantError(t, err, "neither a file nor a directory")
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Open(ctx, "mbpp", Options{Data: file(t, "data", jsonOf(t, aRow(601))), Parser: runtest.OpenParser})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

// TestOwnParser: without one Open makes its own.
func TestOwnParser(t *testing.T) {
	s, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data", jsonOf(t, aRow(601)))})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("add", s.Tasks[0].Entry); diff != "" {
		t.Error(diff)
	}
}
