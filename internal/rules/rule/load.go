package rule

import (
	"fmt"
	"io/fs"
	"path"
	"reflect"
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

// Load gives the rules that the *.txtar files at the root of files describe, sorted by ID. The rule "go/sql-injection" of
// language "go" stands in sql_injection.txtar, and its check is the exported method of checks that has the same name
// without underscores and in any case: SQLInjection. A file without a method is an error, and so is a method without a
// file; that they belong together by name is why a new rule appears in no list.
func Load(language string, files fs.FS, checks any) ([]Rule, error) {
	methods := map[string]func(*Pass){}
	value := reflect.ValueOf(checks)
	for i := range value.NumMethod() {
		name := value.Type().Method(i).Name
		check, ok := value.Method(i).Interface().(func(*Pass))
		if !ok {
			return nil, fmt.Errorf("rules for %s: method %s is no check", language, name)
		}
		methods[strings.ToLower(name)] = check
	}
	names, err := fs.Glob(files, "*.txtar") // sorted
	if err != nil {
		return nil, err
	}
	var all []Rule
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		r, err := parse(name, text)
		if err != nil {
			return nil, err
		}
		stem := strings.TrimSuffix(name, path.Ext(name))
		if want := language + "/" + strings.ReplaceAll(stem, "_", "-"); r.ID != want {
			return nil, fmt.Errorf("%s: id %s, want %s by the file's name", name, r.ID, want)
		}
		method := strings.ReplaceAll(stem, "_", "")
		if r.Check = methods[method]; r.Check == nil {
			return nil, fmt.Errorf("%s: no check has this name", name)
		}
		delete(methods, method)
		all = append(all, r)
	}
	for method := range methods {
		return nil, fmt.Errorf("rules for %s: check %s has no txtar file", language, method)
	}
	return all, nil
}

// parse reads a rule's description.
func parse(name string, text []byte) (Rule, error) {
	file, err := samplefile.Parse(name, text, samplefile.Form{
		Keys:     []string{"id", "title", "category", "severity", "confidence", "languages", "explanation", "suggestion"},
		Optional: []string{"cwe", "tests"},
		Kinds:    []string{"bad", "good"},
	})
	if err != nil {
		return Rule{}, err
	}
	h := file.Header
	r := Rule{
		ID: h["id"], Title: h["title"], Category: h["category"], CWE: h["cwe"], Severity: h["severity"],
		Languages: strings.Split(h["languages"], ", "), Explanation: h["explanation"], Suggestion: h["suggestion"],
		InTests: TestPolicy(h["tests"]), Bad: samples(file, "bad"), Good: samples(file, "good"),
	}
	switch r.InTests {
	case LowerInTests, SkipInTests, SameInTests:
	default:
		return r, fmt.Errorf("%s: tests is %q, want skip, same or nothing", name, r.InTests)
	}
	if r.Confidence, err = strconv.ParseFloat(h["confidence"], 64); err != nil {
		return r, fmt.Errorf("%s: confidence: %w", name, err)
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
