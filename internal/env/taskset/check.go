package taskset

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// cwe is how a weakness is named.
var cwe = regexp.MustCompile(`^CWE-[1-9]\d{0,5}$`)

// checkDefects refuses a truth that no finding could be matched with, or that two findings would be needed for. at says
// which element an error is about, -1 for the list.
func checkDefects(code *codebase.Codebase, defects []env.Defect) (at int, err error) {
	if len(defects) == 0 {
		return -1, errors.New("the truth is empty: nothing could be found, and nothing earned, in this task")
	}
	for i := range defects {
		d := &defects[i]
		if err := checkPlace(code, d.File, d.Line, &d.EndLine, d.Category); err != nil {
			return i, err
		}
		if !slices.Contains(taxonomy.Severities(), d.Severity) {
			return i, fmt.Errorf("severity %q is none of %s", d.Severity, strings.Join(taxonomy.Severities(), ", "))
		}
		if d.CWE != "" && !cwe.MatchString(d.CWE) {
			return i, fmt.Errorf("cwe %q is not written as CWE-89 is", d.CWE)
		}
		for j := range defects[:i] {
			if e := defects[j]; e.File == d.File && e.Line == d.Line && e.EndLine == d.EndLine && e.Category == d.Category {
				return i, fmt.Errorf("the same defect stands in the list twice: %q, line %d, %s", d.File, d.Line, d.Category)
			}
		}
	}
	return 0, nil
}

func checkDecoys(code *codebase.Codebase, decoys []env.Decoy) (at int, err error) {
	for i := range decoys {
		d := &decoys[i]
		if err := checkPlace(code, d.File, d.Line, &d.EndLine, d.Category); err != nil {
			return i, err
		}
	}
	return 0, nil
}

// checkPlace sees to it that a place exists. An end that is left out is the line itself.
func checkPlace(code *codebase.Codebase, file string, line int, end *int, category string) error {
	if file == "" {
		return errors.New("file is missing")
	}
	f, ok := code.File(file)
	if !ok {
		for _, s := range code.Skipped() {
			if s.Path == file {
				return fmt.Errorf("file %q was not read: %s", file, s.Why)
			}
		}
		return fmt.Errorf("the codebase has no file %q", file)
	}
	if *end == 0 {
		*end = line
	}
	switch {
	case line == 0:
		return errors.New("line is missing")
	case line < 0 || line > f.Lines:
		return fmt.Errorf("%q has no line %d: it has %d", file, line, f.Lines)
	case *end < line:
		return fmt.Errorf("end_line %d lies before line %d", *end, line)
	case *end > f.Lines:
		return fmt.Errorf("%q has no line %d: it has %d", file, *end, f.Lines)
	case category == "":
		return errors.New("category is missing")
	case !slices.Contains(taxonomy.Categories(), category):
		return fmt.Errorf("category %q is none of %s", category, strings.Join(taxonomy.Categories(), ", "))
	}
	return nil
}
