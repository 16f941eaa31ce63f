package view_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/compare"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/deeprepo/deeprepo/internal/view/training"
)

// roots are the documents that resources answer, by the page's interface for each. What they are made of is found from
// there.
var roots = map[string]any{
	"Run": doc.Header{}, "Trace": traces.Trace{}, "Turn": traces.Turn{}, "Prompt": traces.Prompt{}, "Dispatch": traces.Dispatch{},
	"Files": review.Files{}, "File": review.File{}, "Findings": review.Findings{},
	"EvalDoc": evals.EvalDoc{}, "EvalRollout": evals.EvalRollout{}, "BenchDoc": runfile.Bench{},
	"CodeRun": code.CodeRun{}, "CodeTask": code.CodeTask{}, "Comparison": compare.Comparison{}, "Flip": compare.Flip{},
	"PairSet": pairs.PairSet{}, "PairPage": pairs.PairPage{}, "TrainingDoc": training.TrainingDoc{}, "TrainingSteps": training.TrainingSteps{},
}

// notOurs are interfaces of what the server answers beside the documents of one run: the list of runs, errors, what it
// makes of several runs.
var notOurs = []string{
	"Rows", "Problem", "EvalComparison", "EvalColumn",
	"TrainingComparison", "TrainingEffect", "TrainingFigure", "TrainingGroup", "TrainingLine",
}

// field is what both sides say of one field of a document.
type field struct {
	optional bool // it may be absent
	null     bool // it may be null
	of       any  // reflect.Type here, text there
}

// fieldsOf are the fields of a struct as encoding/json writes them.
func fieldsOf(t reflect.Type) map[string]field {
	fields := map[string]field{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for inner, what := range fieldsOf(f.Type) {
				if _, own := fields[inner]; !own {
					fields[inner] = what
				}
			}
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		optional := strings.Contains(options, "omit")
		fields[name] = field{optional, f.Type.Kind() == reflect.Pointer && !optional, f.Type}
	}
	return fields
}

// within is the struct that a field holds, or lists, or nil.
func within(t reflect.Type) reflect.Type {
	for {
		if t.Implements(reflect.TypeFor[json.Marshaler]()) || t == reflect.TypeFor[time.Time]() {
			return nil
		}
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			return t
		default:
			return nil
		}
	}
}

var (
	interfaceLine = regexp.MustCompile(`^(?:export )?interface (\w+)(?: extends (\w+))? \{(.*)$`)
	fieldOf       = regexp.MustCompile(`(\w+)(\?)?: ((?:[^;{}]|\{[^{}]*\})+);`)
	brackets      = regexp.MustCompile(`\([^()]*\)|\{[^{}]*\}`)
	names         = regexp.MustCompile(`\b[A-Z]\w*`)
	comments      = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
)

// interfaces are those of the page's documents, with their fields.
func interfaces(t *testing.T) map[string]map[string]field {
	t.Helper()
	files, err := filepath.Glob("../page/app/documents*.ts")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents.ts: ", err)
	}
	all, parents := map[string]map[string]field{}, map[string]string{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		current := ""
		for line := range strings.Lines(comments.ReplaceAllString(string(data), "")) {
			if m := interfaceLine.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
				current = m[1]
				all[current], parents[current] = map[string]field{}, m[2]
				line = m[3]
			}
			if current == "" {
				continue
			}
			for _, m := range fieldOf.FindAllStringSubmatch(line, -1) {
				top := brackets.ReplaceAllString(m[3], "") // null within a list's type does not count
				all[current][m[1]] = field{m[2] != "", strings.Contains(top, "null"), m[3]}
			}
			if strings.HasPrefix(line, "}") {
				current = ""
			}
		}
	}
	for name, parent := range parents {
		for p := parent; p != ""; p = parents[p] {
			for f, what := range all[p] {
				if _, own := all[name][f]; !own {
					all[name][f] = what
				}
			}
		}
	}
	return all
}

// TestThePageKnowsTheDocuments compares the documents here with the interfaces of the page, both ways: the names of fields,
// whether they may be absent, and whether a value may be null.
func TestThePageKnowsTheDocuments(t *testing.T) {
	page := interfaces(t)
	compared := map[string]reflect.Type{}
	var compare func(name string, of reflect.Type)
	compare = func(name string, of reflect.Type) {
		if before, ok := compared[name]; ok && before == of {
			return
		}
		compared[name] = of
		theirs, ok := page[name]
		if !ok {
			t.Errorf("the page has no interface %s (for %v)", name, of)
			return
		}
		ours := fieldsOf(of)
		for _, f := range slices.Sorted(maps.Keys(ours)) {
			our := ours[f]
			their, ok := theirs[f]
			switch {
			case !ok:
				t.Errorf("%s: the page does not know the field %s", name, f)
				continue
			case our.optional && !their.optional:
				t.Errorf("%s: the page does not know that %s may be absent", name, f)
			case our.null && !their.null:
				t.Errorf("%s: the page does not know that %s may be null", name, f)
			}
			inner := within(our.of.(reflect.Type))
			if inner == nil {
				continue
			}
			for _, n := range names.FindAllString(their.of.(string), -1) {
				if page[n] != nil {
					compare(n, inner)
				}
			}
		}
		for _, f := range slices.Sorted(maps.Keys(theirs)) {
			if _, ok := ours[f]; !ok {
				t.Errorf("%s: the page's field %s is in no document", name, f)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(roots)) {
		compare(name, reflect.TypeOf(roots[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(page)) {
		if compared[name] == nil && !slices.Contains(notOurs, name) {
			t.Errorf("the page's interface %s is in no document", name)
		}
	}
}
