package review

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// What a document of findings holds at most.
const (
	maxFindingText  = 32 << 10
	maxAnalysis     = 1 << 20
	maxSources      = 200
	maxPlaces       = 200
	maxSteps        = 50
	maxContradicted = 1_000

	snippetContext = 5       // lines before and behind a finding
	maxSnippet     = 80      // lines
	maxSnippetLine = 1_000   // bytes of a line
	maxSnippets    = 2 << 20 // bytes of all
)

// Findings is what a review claims: the document "findings".
type Findings struct {
	Findings   []Finding            `json:"findings"`   // in report order
	Top        []runfile.TopFinding `json:"top"`        // what to do first: of Findings, by their IDs here
	Ungrounded []Finding            `json:"ungrounded"` // quote nothing that could be found: Why says more
	Refuted    []Finding            `json:"refuted"`    // the code proves them wrong: Why and Proof
	Suppressed []Finding            `json:"suppressed"` // left out by a comment or the suppress file: By, and Why
	Dismissed  []Finding            `json:"dismissed"`  // the root took them back: By, and Why
	Fixed      []Finding            `json:"fixed"`      // the change mended these: as the code before it has them
	// Analysis is the root's own document, in Markdown.
	Analysis string `json:"analysis"`
	// Snippets are the lines around findings, by ID, where the text that was reviewed can be had.
	Snippets map[string]Snippet `json:"snippets"`
	// Dispatches says where in the trace the dispatches stand that findings name, by their key.
	Dispatches map[string]traces.DispatchPlace `json:"dispatches"`
	// Verification says what the second look came to; nil where there was none.
	Verification *runfile.SecondLook `json:"verification,omitempty"`
	// Known counts the findings left out because a baseline report has them; nil without a baseline.
	Known *int `json:"known,omitempty"`
	// Change says what was reviewed of a change; "" where the whole codebase was.
	Change string `json:"change,omitempty"`
	// Bill is what the models were asked for and what that cost, by role.
	Bill []BillRow `json:"bill"`
	// Truncated says that a list is longer in report.json.
	Truncated bool `json:"truncated,omitempty"`
}

// BillRow is the usage of the models in one role.
type BillRow struct {
	Role  string `json:"role"` // root or worker
	Model string `json:"model"`
	runfile.ModelUsage
}

// Snippet is some lines of a file.
type Snippet struct {
	From int    `json:"from"` // the number of the first
	Text string `json:"text"`
}

// Finding is one claim. Its ID is unique within the document.
type Finding struct {
	finding.Finding
	// By is who suppressed it, "comment" or "file", or the model that dismissed it.
	By string `json:"by,omitempty"`
	// Proof is the code that refutes it.
	Proof *runfile.Proof `json:"proof,omitempty"`
}

// findings answers "findings".
func (r *Run) findings(rest string) (any, error) {
	if rest != "" {
		return nil, doc.NotFound("there is no %q below findings", doc.Clip(rest, 80))
	}
	v, err := r.finished()
	if err != nil {
		return nil, err
	}
	found := v.found
	found.Snippets, found.Dispatches = map[string]Snippet{}, map[string]traces.DispatchPlace{}
	v.addSnippets(&found, v.texts(found.files()))
	r.addDispatches(&found)
	return found, nil
}

// finished is a review with its findings, which must not be changed.
type finished struct {
	*reviewed
	found Findings
}

// finished is made once, until the report or the record changes.
func (r *Run) finished() (finished, error) {
	v, err := r.Derived("finished", []string{runfile.ReportName, runfile.CoverageName}, func() (any, error) {
		v, err := r.reviewed()
		if err != nil {
			return nil, err
		}
		return finished{v, v.claims()}, nil
	})
	if err != nil {
		return finished{}, err
	}
	return v.(finished), nil
}

// claims are the report's findings without what stands around them.
func (v *reviewed) claims() Findings {
	rep := v.report
	found := Findings{
		Findings: []Finding{}, Ungrounded: []Finding{}, Refuted: []Finding{}, Suppressed: []Finding{},
		Dismissed: []Finding{}, Fixed: []Finding{}, Top: []runfile.TopFinding{},
		Analysis: doc.Clip(rep.Analysis, maxAnalysis), Known: rep.Known,
		Truncated: v.truncated || len(rep.Ungrounded) > maxFindings || len(rep.Refuted) > maxFindings ||
			len(rep.Suppressed) > maxFindings || len(rep.Dismissed) > maxFindings,
	}
	for i, f := range rep.Findings {
		found.Findings = append(found.Findings, shownFinding(f, v.ids[i]))
	}
	worker := rep.Run.Worker
	if second := rep.Verification; second != nil && second.Verifier != "" && second.Verifier != worker {
		worker += " and " + second.Verifier // a second reader's calls are counted with the worker's
	}
	found.Bill = []BillRow{{"root", rep.Run.Root, rep.Usage.Root}, {"worker", worker, rep.Usage.Worker}}
	taken := map[string]bool{}
	for _, id := range v.ids {
		taken[id] = true
	}
	for i, f := range rep.Ungrounded[:min(len(rep.Ungrounded), maxFindings)] {
		found.Ungrounded = append(found.Ungrounded, shownFinding(f, uniqueID(f.ID, "u", i, taken)))
	}
	for i, f := range rep.Refuted[:min(len(rep.Refuted), maxFindings)] {
		shown := shownFinding(f.Finding, uniqueID(f.ID, "r", i, taken))
		if f.Proof != nil {
			shown.Proof = &runfile.Proof{File: f.Proof.File, Line: f.Proof.Line, Quote: doc.Clip(f.Proof.Quote, maxFindingText)}
		}
		found.Refuted = append(found.Refuted, shown)
	}
	for i, s := range rep.Suppressed[:min(len(rep.Suppressed), maxFindings)] {
		shown := shownFinding(s.Finding, uniqueID(s.ID, "s", i, taken))
		shown.By, shown.Why = s.By, doc.Clip(cmp.Or(s.Reason, s.Why), maxFindingText)
		found.Suppressed = append(found.Suppressed, shown)
	}
	for i, d := range rep.Dismissed[:min(len(rep.Dismissed), maxFindings)] {
		shown := shownFinding(d.Finding, uniqueID(d.ID, "d", i, taken))
		shown.By, shown.Why = d.By, doc.Clip(cmp.Or(d.Reason, d.Why), maxFindingText)
		found.Dismissed = append(found.Dismissed, shown)
	}
	for i, f := range rep.Fixed[:min(len(rep.Fixed), maxFindings)] {
		found.Fixed = append(found.Fixed, shownFinding(f, uniqueID(f.ID, "x", i, taken)))
	}
	if rep.Change != nil {
		found.Change = report.ChangeSentence(rep)
	}
	for _, first := range report.FirstOf(rep) {
		top := runfile.TopFinding{ID: v.ids[first.At], Why: first.Why}
		for _, i := range first.Same {
			top.Same = append(top.Same, v.ids[i])
		}
		found.Top = append(found.Top, top)
	}
	if rep.Verification != nil {
		second := *rep.Verification
		second.Contradicted = second.Contradicted[:min(len(second.Contradicted), maxContradicted)]
		found.Verification = &second
	}
	return found
}

// shownFinding is a finding with its texts bounded.
func shownFinding(f finding.Finding, id string) Finding {
	f.ID = id
	for _, text := range []*string{&f.Evidence, &f.Explanation, &f.Suggestion, &f.Why} {
		*text = doc.Clip(*text, maxFindingText)
	}
	f.Sources = f.Sources[:min(len(f.Sources), maxSources)]
	f.Places = f.Places[:min(len(f.Places), maxPlaces)]
	f.Path = slices.Clone(f.Path[:min(len(f.Path), maxSteps)])
	for i := range f.Path {
		f.Path[i].Text = doc.Clip(f.Path[i].Text, maxSnippetLine)
	}
	return Finding{Finding: f}
}

// all are the findings of every list.
func (d *Findings) all() []Finding {
	var all []Finding
	for _, list := range d.Lists() {
		all = append(all, list...)
	}
	return all
}

// Lists are all lists of findings, by the names that they have in JSON.
func (d *Findings) Lists() iter.Seq2[string, []Finding] {
	return func(yield func(string, []Finding) bool) {
		_ = yield("findings", d.Findings) && yield("ungrounded", d.Ungrounded) && yield("refuted", d.Refuted) &&
			yield("suppressed", d.Suppressed) && yield("dismissed", d.Dismissed) && yield("fixed", d.Fixed)
	}
}

// files are the files that findings speak of, each once.
func (d *Findings) files() []string {
	var paths []string
	seen := map[string]bool{}
	for _, f := range d.all() {
		if f.File != "" && !seen[f.File] {
			seen[f.File] = true
			paths = append(paths, f.File)
		}
	}
	return paths
}

// addSnippets puts the lines around each finding beside it, until there are enough.
func (v *reviewed) addSnippets(d *Findings, texts map[string]sourceText) {
	split := map[string][]string{}
	total := 0
	for _, f := range d.all() {
		source := texts[f.File]
		if !source.ok || f.Status == runfile.Fixed || f.Line < 1 || total >= maxSnippets {
			continue
		}
		if split[f.File] == nil {
			split[f.File] = strings.Split(strings.TrimSuffix(source.text, "\n"), "\n")
		}
		if s, ok := snippet(split[f.File], f.Line, f.EndLine); ok {
			d.Snippets[f.ID] = s
			total += len(s.Text)
		}
	}
}

// snippet is the lines from line to end with some around them.
func snippet(lines []string, line, end int) (Snippet, bool) {
	if line > len(lines) {
		return Snippet{}, false
	}
	from := max(1, line-snippetContext)
	to := min(len(lines), from+maxSnippet-1)
	if end < to-snippetContext {
		to = max(end, line) + snippetContext
	}
	part := make([]string, 0, to-from+1)
	for _, l := range lines[from-1 : to] {
		part = append(part, doc.Clip(strings.TrimSuffix(l, "\r"), maxSnippetLine))
	}
	return Snippet{From: from, Text: strings.Join(part, "\n")}, true
}

// addDispatches finds the dispatches in the trace that findings name. A trace that is damaged or gone leaves them without a
// place: the findings stand without it.
func (r *Run) addDispatches(d *Findings) {
	wanted := map[string]bool{}
	for _, f := range d.all() {
		for _, key := range f.Sources {
			wanted[key] = true
		}
		if f.Verification != nil && f.Verification.Source != "" {
			wanted[f.Verification.Source] = true
		}
	}
	if len(wanted) == 0 {
		return
	}
	if s, err := r.trace().Refresh(); err == nil {
		s.Places(wanted, d.Dispatches)
	}
}

// WithoutSecrets are the findings without secrets in the lines around them. What a finding quotes stays: it stands in every form
// of the report, and the finding may be the secret.
func (d Findings) WithoutSecrets(secrets *redact.Redactor) any {
	snippets := make(map[string]Snippet, len(d.Snippets))
	for _, f := range d.all() {
		if s, ok := d.Snippets[f.ID]; ok {
			s.Text, _ = secrets.RedactFile(f.File, s.Text)
			snippets[f.ID] = s
		}
	}
	d.Snippets = snippets
	return d
}
