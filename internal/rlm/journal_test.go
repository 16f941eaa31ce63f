package rlm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// rewrite changes the events of a trace in place.
func rewrite(t *testing.T, dir string, change func(*trace.Event)) {
	t.Helper()
	var out bytes.Buffer
	for _, e := range events(t, dir) {
		change(&e)
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	if err := os.WriteFile(filepath.Join(dir, "trace.jsonl"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A recorded reply belongs to its request: under the same key with another request it is not used.
func TestARecordedReplyIsOnlyUsedForItsRequest(t *testing.T) {
	dir := t.TempDir()
	asked := 0
	s := setup{dir: dir, root: &runtest.Script{Replies: []string{cells(`r = llm_query("q"); set_answer(r)`)}},
		worker: func(ctx context.Context, r llm.Request) (llm.Response, error) { asked++; return echo(ctx, r) }}
	if _, err := play(t, context.Background(), s); err != nil {
		t.Fatal(err)
	}
	rewrite(t, dir, func(e *trace.Event) {
		if e.Kind == trace.KindDispatch {
			e.Hash, e.Dispatch.Reply = "of another request", "a stale reply"
		}
	})
	res, err := play(t, context.Background(), s)
	if err != nil || res.Analysis != "re: q" || asked != 2 {
		t.Errorf("analysis %q after %d calls, %v", res.Analysis, asked, err)
	}
}

// What a cell printed the first time is what the root saw, and what it sees again.
func TestAReplayedCellShowsWhatItShowed(t *testing.T) {
	dir := t.TempDir()
	root := &runtest.Script{Replies: []string{cells(`print("first")`), cells(`set_answer("done")`)}}
	s := setup{dir: dir, root: root}
	if _, err := play(t, context.Background(), s); err != nil {
		t.Fatal(err)
	}
	rewrite(t, dir, func(e *trace.Event) {
		switch {
		case e.Kind == trace.KindCell && e.Turn == 1:
			e.Cell.Output = "what was seen then"
		case e.Kind == trace.KindRoot && e.Turn == 2:
			*e = trace.Event{Seq: e.Seq, At: e.At, Kind: trace.KindEnd, End: &trace.End{Status: "partial"}} // asked again
		}
	})
	if _, err := play(t, context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(root.Last(), "what was seen then") {
		t.Errorf("the root was told %q", root.Last())
	}
}

// Small models repeat themselves: a claim that cannot be proven is listed once, however often it was made.
func TestAClaimRepeatedToTheLetterIsListedOnce(t *testing.T) {
	claim := `{"file":"app/main.py","line":9,"title":"made up","severity":"high","category":"logic","evidence":"no_such_code(here)"}`
	worker := func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: `{"summary":"s","findings":[` + claim + "," + claim + "," + claim + `]}`}, nil
	}
	_, res := outputs(t, setup{worker: worker}, `llm_query(codebase["app/main.py"])`)
	if len(res.Ungrounded) != 1 || len(res.Findings) != 0 {
		t.Errorf("%d unproven, %d findings", len(res.Ungrounded), len(res.Findings))
	}
}
