package codeeval

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// WriteSummary prints a summary for people: the controls first, then what the score is worth.
func WriteSummary(w io.Writer, s runfile.CodeSummary) error {
	var b strings.Builder
	writeControls(&b, s.Controls)
	fmt.Fprintf(&b, "%-11s%s: %s\n", "dataset", s.Dataset, aboutRun(s))
	for _, line := range notesOf(s) {
		fmt.Fprintf(&b, "%-11s%s\n", "", line)
	}
	b.WriteByte('\n')
	writeScore(s, &b)
	fmt.Fprintf(&b, "%-11s%s\n", "verdicts", verdictCounts(s.Verdicts))
	for _, one := range s.Backends {
		what := "CPython " + one.Python
		if one.Language != "" {
			what = one.Language + " by " + one.Tool
		}
		fmt.Fprintf(&b, "%-11s%s: %s, %s; %d samples\n", "backend", one.Name, what, one.Isolation, one.Samples)
		if one.OwnWord {
			fmt.Fprintf(&b, "%-11spassed is an exit with status 0: the tests run in the program's own process, which can claim it\n", "")
		}
	}
	if len(s.ErrorClasses) > 0 {
		var parts []string
		for _, c := range s.ErrorClasses[:min(len(s.ErrorClasses), 6)] {
			parts = append(parts, fmt.Sprintf("%s %d", c.Name, c.Count))
		}
		if more := len(s.ErrorClasses) - len(parts); more > 0 {
			parts = append(parts, fmt.Sprintf("and %d other classes", more))
		}
		fmt.Fprintf(&b, "%-11s%s\n", "errors", strings.Join(parts, ", "))
	}
	fmt.Fprintf(&b, "%-11s%s\n", "code found", counts(s.Extraction))
	if len(s.Steps) > 0 {
		fmt.Fprintf(&b, "%-11s%s\n", "taken off", counts(s.Steps))
	}
	if s.Rescue != nil {
		fmt.Fprintf(&b, "%-11s%d of %d programs without the entry point pass under its name (no part of the score)\n", "rescue",
			s.Rescue.Passed, s.Rescue.Tried)
	}
	if len(s.Slowest) > 0 {
		var parts []string
		for _, slow := range s.Slowest[:min(len(s.Slowest), 3)] {
			parts = append(parts, fmt.Sprintf("%s #%d %s steps (%s)", slow.TaskID, slow.Sample, thousands(slow.Steps), word(slow.Verdict)))
		}
		fmt.Fprintf(&b, "%-11s%s\n", "slowest", strings.Join(parts, ", "))
	}
	for i, f := range s.Flaky {
		if i == 0 {
			fmt.Fprintf(&b, "%-11s", "flaky")
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s #%d", f.TaskID, f.Sample)
		if i == len(s.Flaky)-1 {
			b.WriteByte('\n')
		}
	}
	fmt.Fprintf(&b, "%-11s%.1f s, %.0f programs a second\n", "time", s.Seconds, s.ProgramsPerSecond)
	if len(s.Diagnosis) > 0 {
		b.WriteString("\ndiagnosis\n")
		for _, line := range s.Diagnosis {
			b.WriteString("  - " + line + "\n")
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return err
	}
	return WriteComparison(w, s.Controls.Comparison, s.Comparison)
}

func writeControls(b *strings.Builder, c runfile.Controls) {
	fmt.Fprintf(b, "%-11s", "controls")
	switch {
	case c.Canonical.Total == 0:
		b.WriteString("this dataset has no references; ")
	default:
		fmt.Fprintf(b, "%d of %d references passed", c.Canonical.Passed, c.Canonical.Total)
		if n := len(c.Canonical.ExpectedFailures); n > 0 {
			fmt.Fprintf(b, " (known to fail: %s)", strings.Join(c.Canonical.ExpectedFailures, ", "))
		}
		b.WriteString("; ")
	}
	fmt.Fprintf(b, "%d of %d null programs passed", c.Null.Passed, c.Null.Total)
	if c.Cached > 0 {
		fmt.Fprintf(b, "; %d of them known from before", c.Cached)
	}
	fmt.Fprintf(b, "; %.1f s\n", c.Seconds)
}

func aboutRun(s runfile.CodeSummary) string {
	if s.Partial {
		return fmt.Sprintf("PARTIAL: samples of %d of %d tasks; the score is over those %d only", s.Tasks, s.TasksTotal, s.Tasks)
	}
	if s.TasksTotal < s.DatasetTasks {
		return fmt.Sprintf("%d of %d tasks, as chosen: no score of the whole dataset", s.TasksTotal, s.DatasetTasks)
	}
	return fmt.Sprintf("all %d tasks", s.TasksTotal)
}

// notesOf says what is not as one would expect.
func notesOf(s runfile.CodeSummary) []string {
	var all []string
	if s.Split != "" {
		all = append(all, "split "+s.Split)
	}
	if !s.Official {
		all = append(all, "the data are not the file that its authors published")
	}
	if n := len(s.Missing); n > 0 {
		const most = 8
		shown := strings.Join(s.Missing[:min(n, most)], ", ")
		if n > most {
			shown += fmt.Sprintf(" and %d more", n-most)
		}
		all = append(all, "no sample of "+shown)
	}
	if s.Aside > 0 {
		all = append(all, fmt.Sprintf("%d samples are of tasks left out", s.Aside))
	}
	if s.Dropped > 0 {
		all = append(all, fmt.Sprintf("%d samples were given twice and are judged once", s.Dropped))
	}
	if s.Repeats > 0 {
		all = append(all, fmt.Sprintf("%d samples say what another one of the task says, word for word", s.Repeats))
	}
	return all
}

func writeScore(s runfile.CodeSummary, b *strings.Builder) {
	if s.Withheld != "" {
		fmt.Fprintf(b, "%-11snone: %s\n", "score", s.Withheld)
		return
	}
	what := ""
	if s.Partial {
		what = "  of the tasks present"
	}
	fmt.Fprintf(b, "%-11s%.1f%%", "pass@1", 100*s.PassAtK["1"])
	if s.CI95 != nil {
		fmt.Fprintf(b, "  [%.1f, %.1f] 95%%, %s", 100*s.CI95[0], 100*s.CI95[1], method(s.CIMethod))
	} else {
		fmt.Fprintf(b, "  no interval: %s", s.CIMethod)
	}
	fmt.Fprintf(b, "  %d of %d samples%s\n", s.Passed, s.Total, what)
	for _, k := range ks(1000) {
		if p, ok := s.PassAtK[fmt.Sprint(k)]; ok && k > 1 {
			fmt.Fprintf(b, "%-11s%.1f%%\n", fmt.Sprintf("pass@%d", k), 100*p)
		}
	}
}

// method is an interval's in words.
func method(name string) string {
	switch name {
	case "wilson":
		return "Wilson"
	case "t":
		return "by task"
	}
	return name
}

func verdictCounts(counts map[string]int) string {
	var parts []string
	for _, v := range sandbox.Verdicts() {
		if counts[string(v)] > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", word(string(v)), counts[string(v)]))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

func word(verdict string) string { return strings.ReplaceAll(verdict, "_", " ") }

// counts lists how often each was seen, the most frequent first.
func counts[K ~string](m map[K]int) string {
	names := slices.SortedFunc(maps.Keys(m), func(a, b K) int { return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b)) })
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%s %d", name, m[name]))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// thousands writes a number with commas.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
