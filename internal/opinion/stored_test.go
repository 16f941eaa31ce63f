package opinion_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// stored is a review that a large language model made of pallets/itsdangerous.
const stored = "../../../shared/data/large_model/review_itsdangerous"

var section = regexp.MustCompile(`(?m)^=== FILE: (.+) \(lines (\d+)-(\d+) of (\d+)\) ===\n`)

// storedReview gives the review's report, its codebase as its workers' prompts hold it, and the verifier's prompts by key.
func storedReview(t *testing.T) (runfile.Report, *codebase.Codebase, map[string]string) {
	t.Helper()
	var report runfile.Report
	data, err := os.ReadFile(filepath.Join(stored, "report.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no stored review beside the repository")
	}
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(stored, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, _, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	files, prompts := map[string]string{}, map[string]string{}
	for _, e := range events {
		if e.Kind != trace.KindDispatch {
			continue
		}
		if e.Node == "verify" {
			prompts[e.Key] = e.Dispatch.Prompt
		}
		heads := section.FindAllStringSubmatchIndex(e.Dispatch.Prompt, -1)
		for _, h := range heads {
			path, from, to, of := e.Dispatch.Prompt[h[2]:h[3]], e.Dispatch.Prompt[h[4]:h[5]], e.Dispatch.Prompt[h[6]:h[7]], e.Dispatch.Prompt[h[8]:h[9]]
			n, _ := strconv.Atoi(of)
			if text, ok := finding.Quote(e.Dispatch.Prompt[h[1]:], 1, n); ok && from == "1" && to == of {
				files[path] = text + "\n"
			}
		}
	}
	return report, codebase.FromMap(files), prompts
}

func TestTheStoredReviewsDoubtsAreDecided(t *testing.T) {
	report, code, before := storedReview(t)
	o := opinion.New(code, claim.NewBase(code, runtest.OpenParser, nil), nil)
	dump := os.Getenv("DUMP")
	sum, old := 0, 0
	for _, f := range report.Findings {
		was := before[f.Verification.Source]
		if f.Verification.Claimed != nil {
			f.Confidence = *f.Verification.Claimed
		}
		request, shown := o.Question(t.Context(), llm.Handle{Name: "local/worker"}, f)
		prompt := request.Messages[0].Content
		sum, old = sum+len(prompt), old+len(was)
		t.Logf("%s %-10s %6d -> %6d %v %s", f.ID[:8], f.Verification.Status, len(was), len(prompt), shown, f.Title)
		if dump != "" {
			os.WriteFile(filepath.Join(dump, f.ID[:8]+".txt"), []byte(prompt), 0o644)
		}
		_ = finding.Stands
	}
	t.Logf("%d -> %d", old, sum)
}
