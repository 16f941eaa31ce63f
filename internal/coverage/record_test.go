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
		{Path: "a.py", Language: "python", Lines: 9, Dispatched: 5, Ranges: [][2]int{{1, 3}, {7, 8}}, Answered: 2,
			Unanswered: [][2]int{{2, 3}, {8, 8}}, Judged: 1, Unjudged: [][2]int{{7, 7}}, SHA256: "ab"},
		{Path: "b </script>\n.py", Language: "text", Ranges: [][2]int{}},
	}}
	var b bytes.Buffer
	if err := coverage.WriteRecord(&b, want); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\n"); n != 4 {
		t.Errorf("%d lines for two files:\n%s", n, b.String())
	}
	if n := strings.Count(b.String(), `"unanswered"`); n != 1 {
		t.Errorf("%d files say what was not answered, one has something to say:\n%s", n, b.String())
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
	sent := func(answered, unanswered string) string {
		return file("9", "5", `[[1,3],[7,8]],"answered":`+answered+`,"unanswered":`+unanswered)
	}
	for name, text := range map[string]string{
		"never sent":        sent("3", "[[4,5]]"),
		"partly never sent": sent("3", "[[3,4]]"),
		"past the end":      sent("0", "[[1,3],[7,8],[10,10]]"),
		"overlapping":       sent("2", "[[1,2],[2,2]]"),
		"backwards":         sent("5", "[[2,1]]"),
		"not counted":       sent("5", "[[1,1]]"),
		"counted wrongly":   sent("3", "[[1,3]]"),
		"nothing missing":   sent("4", "[]"),
		"fewer than none":   sent("-1", "[[1,3],[7,8]]"),
	} {
		if rec, err := coverage.ReadRecord(strings.NewReader(text)); err == nil {
			t.Errorf("unanswered, %s: read as %+v", name, rec)
		}
	}
	answered := func(judged, unjudged string) string {
		return sent("4", `[[2,2]],"judged":`+judged+`,"unjudged":`+unjudged)
	}
	for name, text := range map[string]string{
		"never answered":  answered("3", "[[2,2]]"),
		"never sent":      answered("3", "[[5,5]]"),
		"past the end":    answered("3", "[[10,10]]"),
		"overlapping":     answered("2", "[[7,8],[8,8]]"),
		"counted wrongly": answered("3", "[[7,8]]"),
		"more than sent":  answered("9", "[]"),
		"fewer than none": answered("-1", "[[1,1],[3,3],[7,8]]"),
	} {
		if rec, err := coverage.ReadRecord(strings.NewReader(text)); err == nil {
			t.Errorf("unjudged, %s: read as %+v", name, rec)
		}
	}
	for name, text := range map[string]string{"some": answered("2", "[[7,8]]"), "all": answered("0", "[[1,1],[3,3],[7,8]]")} {
		if _, err := coverage.ReadRecord(strings.NewReader(text)); err != nil {
			t.Errorf("unjudged, %s: %v", name, err)
		}
	}
	for name, text := range map[string]string{"some": sent("2", "[[2,3],[8,8]]"), "all": sent("0", "[[1,3],[7,8]]"), "none": sent("5", "[]")} {
		if _, err := coverage.ReadRecord(strings.NewReader(text)); err != nil {
			t.Errorf("unanswered, %s: %v", name, err)
		}
	}
}

// A record of a version that did not know answers says that all that was sent was answered and judged: nothing else is known.
func TestAnOlderRecordIsRead(t *testing.T) {
	rec, err := coverage.ReadRecord(strings.NewReader(
		`{"schema":1,"files":[{"path":"p","lines":9,"dispatched":3,"ranges":[[1,3]],"sha256":""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []runfile.CoveredFile{{Path: "p", Lines: 9, Dispatched: 3, Ranges: [][2]int{{1, 3}}, Answered: 3, Judged: 3}}
	if diff := cmp.Diff(want, rec.Files); diff != "" {
		t.Error(diff)
	}
}

// Every way in which lines of a small file are sent and answered.
func TestUnansweredAreTheLinesWithoutAnAnswer(t *testing.T) {
	const lines = 7
	ranges := func(set int) (out [][2]int) {
		for n := 1; n <= lines; n++ {
			switch {
			case set&(1<<n) == 0:
			case len(out) > 0 && out[len(out)-1][1] == n-1:
				out[len(out)-1][1] = n
			default:
				out = append(out, [2]int{n, n})
			}
		}
		return out
	}
	for sent := 0; sent < 2<<lines; sent += 2 {
		for answered := 0; answered < 2<<lines; answered += 2 {
			f := coverage.FileCoverage{DispatchedRanges: ranges(sent), AnsweredRanges: ranges(answered)}
			if diff := cmp.Diff(ranges(sent&^answered), f.Unanswered()); diff != "" {
				t.Fatalf("%v sent, %v answered:\n%s", f.DispatchedRanges, f.AnsweredRanges, diff)
			}
		}
	}
}

func FuzzReadRecord(f *testing.F) {
	f.Add([]byte(`{"schema":1,"files":[{"path":"p","lines":3,"dispatched":3,"ranges":[[1,3]]}]}`))
	f.Add([]byte(`{"schema":1,"files":[{"path":"p","lines":3,"dispatched":3,"ranges":[[1,3]],"answered":1,"unanswered":[[2,3]]}]}`))
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
