package opinion_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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
		prompt := e.Dispatch.Prompt
		for _, h := range section.FindAllStringSubmatchIndex(prompt, -1) {
			from, to, of := prompt[h[4]:h[5]], prompt[h[6]:h[7]], prompt[h[8]:h[9]]
			n, _ := strconv.Atoi(of)
			if text, ok := finding.Quote(prompt[h[1]:], 1, n); ok && from == "1" && to == of {
				files[prompt[h[2]:h[3]]] = text + "\n"
			}
		}
	}
	return report, codebase.FromMap(files), prompts
}

// answers are what a reader of the prompts, and of nothing else, said of the four findings that were left open because the
// deciding code was not shown, with lines that the prompt must hold for that.
var answers = map[string]struct {
	reply string
	shown []string
}{
	"906b648e": {said("stands", "src/itsdangerous/timed.py", 187, "        s: str | bytes,\n        max_age: int | None = None,\n"+
		"        return_timestamp: bool = False,\n        salt: str | bytes | None = None,"),
		[]string{" 170| class TimedSerializer(Serializer[_TSerialized]):", " 188|         max_age: int | None = None,",
			" 202|         for signer in self.iter_unsigners(salt):", " 141|             if age > max_age:", " 347|         return self.loads(f.read(), salt)"}},
	"986cff34": {said("stands", "src/itsdangerous/serializer.py", 317, "if self.is_text_serializer:\n            return rv.decode(\"utf-8\")"),
		[]string{"  95|     default_serializer: _PDataSerializer[t.Any] = json",
			" 220|         self.is_text_serializer: bool = is_text_serializer(serializer)",
			"  37|     return isinstance(serializer.dumps({}), str)", " 318|             return rv.decode(\"utf-8\")", "  22|     By default it is ``Serializer[str]``"}},
	"5ce2db3d": {said("stands", "src/itsdangerous/encoding.py", 14, "    if isinstance(s, str):\n        s = s.encode(encoding, errors)"),
		[]string{"  12|     s: str | bytes, encoding: str = \"utf-8\", errors: str = \"strict\"", "  15|         s = s.encode(encoding, errors)",
			" 276|         return want_bytes(self.serializer.dumps(obj, **self.serializer_kwargs))",
			"  21|     default_serializer: _PDataSerializer[str] = _CompactJSON", "   3| import json as _json"}},
	"05c261a8": {said("stands", "src/itsdangerous/serializer.py", 389, "            try:\n                return (\n"+
		"                    False,\n                    self.load_payload(e.payload, **load_payload_kwargs),"),
		[]string{" 382|         except BadSignature as e:", " 392|                     self.load_payload(e.payload, **load_payload_kwargs),",
			" 365|         return self._loads_unsafe_impl(s, salt)", "  46|                 json = zlib.decompress(json)"}},
}

func TestTheStoredReviewsDoubtsAreDecided(t *testing.T) {
	report, code, before := storedReview(t)
	o := opinion.New(code, claim.NewBase(code, runtest.OpenParser, nil), nil)
	total, was, decided := 0, 0, 0
	for _, f := range report.Findings {
		earlier := before[f.Verification.Source]
		open := f.Verification.Status == finding.Unsure
		request, shown := o.Question(t.Context(), llm.Handle{}, f)
		prompt := request.Messages[0].Content
		total, was = total+len(prompt), was+len(earlier)
		t.Logf("%s %s: %d characters before, %d now", f.ID[:8], f.Verification.Status, len(earlier), len(prompt))
		if own := fmt.Sprintf("%4d| %s\n", f.Line, first(f.Evidence)); !strings.Contains(prompt, own) {
			t.Errorf("%s: its own line %q is not shown", f.ID, own)
		}
		answer, ok := answers[f.ID[:8]]
		if ok != open {
			t.Errorf("%s: open before: %v, answered: %v", f.ID, open, ok)
		}
		if !ok {
			continue
		}
		for _, line := range answer.shown {
			if !strings.Contains(prompt, line) {
				t.Errorf("%s: %q is not shown:\n%s", f.ID, line, prompt)
			}
		}
		if v := o.Weigh(t.Context(), f, shown, answer.reply); v.Status == finding.Stands && v.Proof != nil {
			decided++
		} else {
			t.Errorf("%s: %+v", f.ID, v)
		}
	}
	t.Logf("%d decided of %d; all prompts: %d characters before, %d now", decided, len(answers), was, total)
	if decided != 4 || total > was {
		t.Errorf("%d decided, %d characters instead of %d", decided, total, was)
	}
}

func first(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
