package review

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

var (
	plainDocuments  = regexp.MustCompile(`(?s)<script type="application/json" id="archive">(.*?)</script>`)
	packedDocuments = regexp.MustCompile(`(?s)<script type="text/plain" id="archive-packed">(.*?)</script>`)
)

// documents reads what a page in a file shows.
func documents(t *testing.T, file []byte) map[string]json.RawMessage {
	t.Helper()
	all := map[string]json.RawMessage{}
	plain := plainDocuments.FindSubmatch(file)
	if plain == nil {
		t.Fatalf("no documents in %d bytes", len(file))
	}
	if err := json.Unmarshal(plain[1], &all); err != nil {
		t.Fatal(err)
	}
	if packed := packedDocuments.FindSubmatch(file); packed != nil {
		zip, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(packed[1])))
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(zip)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var name string
			if err := json.Unmarshal(lines.Bytes(), &name); err != nil || !lines.Scan() {
				t.Fatalf("%v, %v", err, lines.Err())
			}
			all[name] = slices.Clone(lines.Bytes())
		}
	}
	return all
}

// report.html shows the run as it ended, with its findings, turns and dispatches, and the code that was reviewed.
func TestThePageHoldsTheRun(t *testing.T) {
	const hostile = "</script><script>alert(1)</script><!-- \" onmouseover=alert(2)"
	files := buggy(6)
	files["pkg/bad.py"] = "# BUG " + hostile + "\n"
	path, out := runtest.Tree(t, files), filepath.Join(t.TempDir(), "run")
	env := environment(t, finder, nil)
	if _, err := Analyze(context.Background(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "fake/worker"},
		env); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(file, []byte("alert(")) && bytes.Contains(file, []byte("<script>alert")) {
		t.Error("text of the codebase stands in the page as it is")
	}
	docs := documents(t, file)
	var head struct {
		Kind, Status, Headline, Omitted string
		Live                            bool
	}
	if err := json.Unmarshal(docs[""], &head); err != nil {
		t.Fatal(err)
	}
	if head.Kind != "review" || head.Status != "completed" || head.Live || !strings.HasPrefix(head.Headline, "7 findings") ||
		head.Omitted != "" {
		t.Errorf("the run: %+v", head)
	}
	if !bytes.Contains(docs["file/pkg/bad.py"], []byte("alert(1)")) {
		t.Errorf("the code is not there: %s", docs["file/pkg/bad.py"])
	}
	count := map[string]int{}
	for name := range docs {
		kind, _, _ := strings.Cut(name, "/")
		count[kind]++
	}
	if count["file"] != 7 || count["turn"] == 0 || count["prompt"] != count["turn"] || count["dispatch"] == 0 || count["findings"] != 1 ||
		count["trace"] == 0 {
		t.Errorf("documents: %v", count)
	}
}

// The page of a large review is cut to its size, and says what is missing.
func TestThePageIsSmall(t *testing.T) {
	files := map[string]string{}
	for i := range 300 {
		var b strings.Builder
		for j := range 250 {
			fmt.Fprintf(&b, "value_%d = compute(%d, %q)\n", j, i*j*7919%100_003, fmt.Sprintf("%x", (i+13)*(j+7)*2654435761))
		}
		files[fmt.Sprintf("src/m%03d.py", i)] = b.String() + "x = 1  # BUG\n"
	}
	out := filepath.Join(t.TempDir(), "run")
	if _, err := Analyze(context.Background(), Options{Path: runtest.Tree(t, files), Out: out, Root: "offline/orchestrator",
		Worker: "fake/worker"}, environment(t, finder, nil)); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	docs := documents(t, file)
	if n := len(file); n > 2_000_000 || n < 1_000_000 || !bytes.Contains(docs[""], []byte("left out for size")) {
		t.Errorf("%d bytes: %s", n, docs[""])
	}
}

func TestCoverageJSONIsWhatTheLedgerSays(t *testing.T) {
	path, out := runtest.Tree(t, buggy(6)), filepath.Join(t.TempDir(), "run")
	got, err := Analyze(context.Background(), Options{Path: path, Out: out, Root: "offline/orchestrator", Worker: "fake/worker"},
		environment(t, finder, nil))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(out, runfile.CoverageName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := coverage.ReadRecord(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, f := range rec.Files {
		lines += f.Dispatched
	}
	if c := got.Report.Coverage; len(rec.Files) != c.FilesTotal || lines != c.LinesDispatched || lines == 0 {
		t.Errorf("%d files, %d lines; the report has %+v", len(rec.Files), lines, c)
	}
	want := runfile.CoveredFile{Path: "pkg0/mod00.py", Language: "python", Lines: 4, Dispatched: 4, Ranges: [][2]int{{1, 4}}, Answered: 4,
		Judged: 4, SHA256: "8f5b6e0f27ef6b1a2ad1ebd3d5c0f8a2"}
	want.SHA256 = rec.Files[0].SHA256
	if diff := cmp.Diff(want, rec.Files[0]); diff != "" || len(want.SHA256) != 64 {
		t.Error(diff)
	}
}

// A file whose reply cannot be used was sent and not answered: coverage.json says which lines, the page that the run is partial.
func TestWhatWasNotAnsweredIsInCoverageJSONAndOnThePage(t *testing.T) {
	path, out := runtest.Tree(t, buggy(6)), filepath.Join(t.TempDir(), "run")
	worker := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if strings.Contains(r.Messages[len(r.Messages)-1].Content, "pkg1/mod01.py") {
			return llm.Response{Text: `{"error": "internal"}`, Finish: llm.FinishStop}, nil
		}
		return finder(ctx, r)
	}
	cell := `llm_batch(["=== FILE: " + p + " (lines 1-4 of 4) ===\n" + codebase[p] for p in codebase])`
	env := environment(t, worker, nil)
	env.Registry.Register("fake", func(model string) (llm.Handle, error) {
		if model == "root" {
			return llm.Handle{Model: &runtest.Script{Replies: []string{"```python\n" + cell + "\nset_answer('# all is well')\n```"}},
				Price: llm.NotBilled()}, nil
		}
		return llm.Handle{Model: llm.Func(worker), Schema: true}, nil
	}, "root", "worker")
	got, err := Analyze(context.Background(), Options{Path: path, Out: out, Root: "fake/root", Worker: "fake/worker",
		Strategy: StrategyRLM, NoCache: true}, env)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(out, runfile.CoverageName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := coverage.ReadRecord(f)
	if err != nil {
		t.Fatal(err)
	}
	answered := 0
	for _, f := range rec.Files {
		want := [][2]int(nil)
		if f.Path == "pkg1/mod01.py" {
			want = [][2]int{{1, 4}}
		}
		if diff := cmp.Diff(want, f.Unanswered); diff != "" {
			t.Errorf("%s: %s", f.Path, diff)
		}
		answered += f.Answered
	}
	if c := got.Report.Coverage; answered != c.LinesAnswered || answered != c.LinesDispatched-4 {
		t.Errorf("%d lines answered; the report has %+v", answered, c)
	}
	file, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	head := string(documents(t, file)[""])
	for _, s := range got.Report.Run.Shortfalls {
		if !strings.Contains(head, s.Text) {
			t.Errorf("the page does not say %q", s.Text)
		}
	}
	if len(got.Report.Run.Shortfalls) != 1 || !strings.Contains(head, `"status":"partial"`) {
		t.Errorf("%+v: %s", got.Report.Run.Shortfalls, head)
	}
}
