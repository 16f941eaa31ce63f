package coverage_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

func TestRecordReadsBack(t *testing.T) {
	want := runfile.CoverageRecord{Schema: coverage.RecordSchema, Files: []runfile.CoveredFile{
		{Path: "a.py", Language: "python", Lines: 9, Dispatched: 5, Ranges: [][2]int{{1, 3}, {7, 8}}, SHA256: "ab"},
		{Path: "b </script>\n.py", Language: "text", Ranges: [][2]int{}},
	}}
	var b bytes.Buffer
	if err := coverage.WriteRecord(&b, want); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 4 {
		t.Errorf("%d lines for two files:\n%s", n, b.String())
	}
	got, err := coverage.ReadRecord(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	b.Reset()
	if err := coverage.WriteRecord(&b, runfile.CoverageRecord{Schema: 1, Files: []runfile.CoveredFile{{Path: "x"}}}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("null in %s", b.String())
	}
}

func TestARecordThatCannotBeRightIsRefused(t *testing.T) {
	file := func(lines, dispatched, ranges string) string {
		return `{"schema":1,"files":[{"path":"p","lines":` + lines + `,"dispatched":` + dispatched + `,"ranges":` + ranges + `}]}`
	}
	for name, text := range map[string]string{
		"another schema":  `{"schema":2,"files":[]}`,
		"no JSON":         `{"schema":1,`,
		"past the end":    file("3", "4", "[[1,4]]"),
		"from nothing":    file("3", "2", "[[0,1]]"),
		"backwards":       file("3", "0", "[[3,2]]"),
		"overlapping":     file("9", "6", "[[1,3],[3,5]]"),
		"counted wrongly": file("9", "9", "[[1,3]]"),
		"fewer than none": file("-1", "0", "[]"),
	} {
		if rec, err := coverage.ReadRecord(strings.NewReader(text)); err == nil {
			t.Errorf("%s: read as %+v", name, rec)
		}
	}
	if _, err := coverage.ReadRecord(strings.NewReader(file("3", "3", "[[1,3]]"))); err != nil {
		t.Errorf("a whole file: %v", err)
	}
}

func FuzzReadRecord(f *testing.F) {
	f.Add([]byte(`{"schema":1,"files":[{"path":"p","lines":3,"dispatched":3,"ranges":[[1,3]]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		rec, err := coverage.ReadRecord(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := coverage.WriteRecord(&b, rec); err != nil {
			t.Fatal(err)
		}
		if _, err := coverage.ReadRecord(&b); err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
	})
}
