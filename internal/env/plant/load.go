package plant

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/samplefile"
)

// Load gives the operators of a language, sorted by the names of their files. Each is a txtar file of dir, which
// describes it and holds its samples, and the exported method of that name, of type F, which finds its sites; look calls
// such a method for a file that parses and is no test, and leaves the sites in the file.
//
// It panics where files and methods do not fit: they are part of the program.
func Load[F any](language string, dir fs.FS, methods any, look func(find F, f *File)) []Operator {
	bound, err := samplefile.Bind[F](language, dir, "name", samplefile.Form{
		Keys:     []string{"split", "category", "severity"},
		Optional: []string{"cwe", "cross-file", "decoy", "hint"},
		Kinds:    []string{"before", "after", "proof", "never"},
	}, methods)
	var out []Operator
	for _, b := range bound {
		o, wrong := describe(b.File)
		o.Language = language
		if wrong != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", b.Base, wrong))
		}
		o.Sites = func(p *Project, path string) []Site {
			if Language(path) != language || codebase.IsTest(path) {
				return nil
			}
			f := p.Open(path)
			if f == nil {
				return nil
			}
			look(b.Do, f)
			return f.Sites
		}
		out = append(out, o)
	}
	if err != nil {
		panic(fmt.Sprintf("operators for %s: %v", language, err))
	}
	return out
}

// describe reads what stands in an operator's file. A sample is the files before/1/..., of which after/1/... holds the one
// that changes; a proof/1 belongs to it.
func describe(f samplefile.File) (Operator, error) {
	h := f.Header
	o := Operator{Name: h["name"], Split: h["split"], Category: h["category"], CWE: h["cwe"], Severity: h["severity"],
		CrossFile: h["cross-file"] == "true", Decoy: h["decoy"] == "true", Hint: h["hint"]}
	if strings.HasPrefix(o.Hint, `"`) { // one with blanks around it
		var err error
		if o.Hint, err = strconv.Unquote(o.Hint); err != nil {
			return o, fmt.Errorf("hint %s: %w", h["hint"], err)
		}
	}
	for _, flag := range []string{"cross-file", "decoy"} {
		if h[flag] != "" && h[flag] != "true" {
			return o, fmt.Errorf("%s is %q, want true or nothing", flag, h[flag])
		}
	}
	for _, s := range f.Of("before") {
		if len(o.Samples) < s.Number {
			o.Samples = append(o.Samples, Sample{Files: map[string]string{}})
		}
		if len(o.Samples) != s.Number || s.Path == "" {
			return o, fmt.Errorf("before/%d/%s: want numbers without a gap, and a path", s.Number, s.Path)
		}
		o.Samples[s.Number-1].Files[s.Path] = s.Text
	}
	for _, s := range f.Of("after") {
		if s.Number > len(o.Samples) || o.Samples[s.Number-1].Files[s.Path] == "" || o.Samples[s.Number-1].Path != "" {
			return o, fmt.Errorf("after/%d/%s: want one changed file of each sample", s.Number, s.Path)
		}
		o.Samples[s.Number-1].Path, o.Samples[s.Number-1].After = s.Path, s.Text
	}
	for i, s := range o.Samples {
		if s.Path == "" {
			return o, fmt.Errorf("before/%d has no after", i+1)
		}
	}
	for _, s := range f.Of("proof") {
		if s.Number > len(o.Samples) {
			return o, fmt.Errorf("proof/%d is of no sample", s.Number)
		}
		o.Samples[s.Number-1].Proof = s.Text
	}
	for _, s := range f.Of("never") {
		o.Never = append(o.Never, s.Text)
	}
	return o, nil
}
