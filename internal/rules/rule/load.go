package rule

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/samplefile"
)

// MustLoad is Load for the files and checks of a package of rules, where an error is the package's own.
func MustLoad(language string, files fs.FS, checks any) []Rule {
	all, err := Load(language, files, checks)
	if err != nil {
		panic(err)
	}
	return all
}

// Load gives the rules that the *.txtar files at the root of files describe, sorted by file, with the methods of checks
// that samplefile.Bind finds for them. That they belong together by name is why a new rule appears in no list.
func Load(language string, files fs.FS, checks any) ([]Rule, error) {
	bound, err := samplefile.Bind[func(*Pass)](language, files, "id", samplefile.Form{
		Keys:     []string{"title", "category", "severity", "confidence", "languages", "explanation", "suggestion"},
		Optional: []string{"cwe", "tests"},
		Kinds:    []string{"bad", "good"},
	}, checks)
	if err != nil {
		return nil, err
	}
	var all []Rule
	for _, b := range bound {
		r, err := describe(b.File)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Base, err)
		}
		r.Check = b.Do
		all = append(all, r)
	}
	return all, nil
}

// describe reads what stands in a rule's file.
func describe(file samplefile.File) (Rule, error) {
	var err error
	h := file.Header
	r := Rule{
		ID: h["id"], Title: h["title"], Category: h["category"], CWE: h["cwe"], Severity: h["severity"],
		Languages: strings.Split(h["languages"], ", "), Explanation: h["explanation"], Suggestion: h["suggestion"],
		InTests: TestPolicy(h["tests"]), Bad: samples(file, "bad"), Good: samples(file, "good"),
	}
	switch r.InTests {
	case LowerInTests, SkipInTests, SameInTests:
	default:
		return r, fmt.Errorf("tests is %q, want skip, same or nothing", r.InTests)
	}
	if r.Confidence, err = strconv.ParseFloat(h["confidence"], 64); err != nil {
		return r, fmt.Errorf("confidence: %w", err)
	}
	return r, nil
}

func samples(file samplefile.File, kind string) []Sample {
	var all []Sample
	for _, s := range file.Of(kind) {
		all = append(all, Sample{Path: s.Path, Source: s.Text})
	}
	return all
}
