package runcode

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// request is a program to run: SandboxFusion's fields, then ours.
type request struct {
	Code           *string            `json:"code"`
	Language       *string            `json:"language"`
	CompileTimeout *float64           `json:"compile_timeout"` // seconds; of Python nothing is compiled, see Wall in program
	RunTimeout     *float64           `json:"run_timeout"`     // seconds
	MemoryMB       *float64           `json:"memory_limit_MB"` // -1: the usual
	Stdin          *string            `json:"stdin"`
	Files          map[string]*string `json:"files"` // base64, null: no such file
	FetchFiles     []string           `json:"fetch_files"`
	Args           []string           `json:"args"` // of pytest; Python ignores them, as there

	Tests     []test   `json:"tests"`
	Cases     []ioCase `json:"cases"`
	Entry     string   `json:"entry"`
	Names     []string `json:"names"`
	Setup     string   `json:"setup"`
	Judge     string   `json:"judge"`
	KeepGoing bool     `json:"keep_going"`

	files []file // Files, checked and decoded
}

// test is a piece of the judge's Python: an object, or just its code.
type test struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// UnmarshalJSON takes a string, too.
func (t *test) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &t.Code)
	}
	type plain test
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode((*plain)(t))
}

type ioCase struct {
	Stdin  string `json:"stdin"`
	Stdout string `json:"stdout"`
}

// file is one that the program finds in its memory.
type file struct {
	name string
	data []byte
}

const (
	maxFiles    = 256
	maxTests    = 10_000
	maxValues   = 2_000_000 // in a body: each takes many times its bytes when it is decoded
	usualTime   = 10.0      // seconds, SandboxFusion's default
	shortest    = 10 * time.Millisecond
	stepsSecond = 10_000_000
)

// wrong is a request that cannot be understood; the client is told why with 422.
type wrong struct{ text string }

func (w *wrong) Error() string { return w.text }

func wrongf(format string, args ...any) error { return &wrong{fmt.Sprintf(format, args...)} }

// parseRequest reads one program. SandboxFusion ignores fields that it does not know; where strict is set they are
// refused, since a misspelt "tests" would let everything pass.
func parseRequest(raw []byte, strict bool) (*request, error) {
	var q request
	if err := bounded.Check(raw, maxValues); err != nil {
		return nil, wrongf("%v", err)
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(&q); err != nil {
		return nil, asWrong(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, wrongf("there is something behind the JSON object")
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	return &q, nil
}

// asWrong says in words what encoding/json says in Go.
func asWrong(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return wrongf("%s: a JSON %s does not belong there", kind.Field, kind.Value)
	case errors.As(err, &kind):
		return wrongf("a JSON object was expected, not %s", kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return wrongf("the JSON ends too early")
	}
	return wrongf("invalid JSON: %s", strings.TrimPrefix(err.Error(), "json: "))
}

func (q *request) check() error {
	switch {
	case q.Code == nil:
		return wrongf("code: the field is required")
	case q.Language == nil:
		return wrongf("language: the field is required")
	case len(q.Files) > maxFiles || len(q.FetchFiles) > maxFiles:
		return wrongf("files, fetch_files: at most %d are taken", maxFiles)
	case len(q.Tests) > maxTests || len(q.Cases) > maxTests || len(q.Names) > maxTests:
		return wrongf("tests, cases, names: at most %d are taken", maxTests)
	case len(q.Tests) > 0 && len(q.Cases) > 0:
		return wrongf("tests and cases: a program has one or the other")
	case len(q.Tests) == 0 && (q.Entry != "" || len(q.Names) > 0 || q.Judge != ""):
		return wrongf("entry, names and judge are for tests, and there are none")
	case len(q.Tests) > 0 && (len(q.Files) > 0 || len(q.FetchFiles) > 0):
		return wrongf("files and fetch_files are for programs without tests")
	}
	for name, seconds := range map[string]*float64{"compile_timeout": q.CompileTimeout, "run_timeout": q.RunTimeout,
		"memory_limit_MB": q.MemoryMB} {
		if seconds != nil && (math.IsNaN(*seconds) || math.Abs(*seconds) > 1e9) {
			return wrongf("%s: %v is out of range", name, *seconds)
		}
	}
	for name, content := range q.Files {
		clean, err := fileName(name)
		if err != nil {
			return wrongf("files: %v", err)
		}
		if content == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(*content)
		if err != nil {
			return wrongf("files: %s is not base64: %v", access.Quoted(name), err)
		}
		q.files = append(q.files, file{clean, data})
	}
	for i, name := range q.FetchFiles {
		clean, err := fileName(name)
		if err != nil {
			return wrongf("fetch_files: %v", err)
		}
		q.FetchFiles[i] = clean
	}
	return nil
}

// fileName is the name of a file below the program's working directory, however it was spelled.
func fileName(name string) (string, error) {
	clean := path.Clean(name)
	switch {
	case name == "" || clean == "." || strings.ContainsRune(name, 0) || len(name) > 1000:
		return "", fmt.Errorf("%s is not the name of a file", access.Quoted(name))
	case path.IsAbs(name) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "", fmt.Errorf("%s is outside the program's directory", access.Quoted(name))
	}
	return clean, nil
}

// language is what the program is written in, as sandbox.Program has it, "" for Python; no says why it cannot be run here.
func (q *request) language(c Config) (language, no string) {
	switch *q.Language {
	case "python", "python3":
		return "", ""
	case "pytest":
		return "", `language "pytest" is not served here: pytest is not in this sandbox; ` +
			`send the asserts with language "python", or as tests to /run_batch`
	}
	if c.Proper != nil {
		language = c.Proper(*q.Language)
	}
	switch {
	case !slices.Contains(c.Languages, language):
		return "", fmt.Sprintf("language %s is not served here, only %s", access.Quoted(*q.Language), c.served())
	case q.Setup != "" || q.Entry != "" || len(q.Names) > 0 || q.Judge != "":
		return "", "setup, entry, names and judge are for programs in python; here each test is text that is put behind the program"
	}
	return language, ""
}

// served lists the languages in words.
func (c Config) served() string {
	if len(c.Languages) == 0 {
		return "python is"
	}
	return "python, " + strings.Join(c.Languages, ", ") + " are"
}

func seconds(v *float64, most time.Duration) time.Duration {
	s := usualTime
	if v != nil {
		s = *v
	}
	return min(max(time.Duration(s*float64(time.Second)), shortest), most)
}

// program is what the sandbox gets.
func (q *request) program(c Config, language string) (sandbox.Program, *fetcher) {
	p := sandbox.Program{
		Code: *q.Code, Language: language, Entry: q.Entry, Names: q.Names, Setup: q.Setup, Judge: q.Judge, KeepGoing: q.KeepGoing,
		Limits: q.limits(c),
	}
	if language != "" {
		c.RealTime = true // steps are Python's
		p.Limits, p.CompileWall = q.limits(c), seconds(q.CompileTimeout, c.RunTime)
	}
	if q.Stdin != nil {
		p.Stdin = *q.Stdin
	}
	for _, t := range q.Tests {
		p.Tests = append(p.Tests, sandbox.Test{Name: t.Name, Code: t.Code})
	}
	for _, k := range q.Cases {
		p.Cases = append(p.Cases, sandbox.Case{Stdin: k.Stdin, Stdout: k.Stdout})
	}
	return p, q.attachFiles(&p)
}

// limits bound the program. A run_timeout buys steps, so that a verdict does not depend on what else the machine
// does: ten million a second, of which the sandbox does about as many and native Python two or three times as many. In
// time a program may take twice as long, or as long as a compiler would have had on top: its client waits for that anyway.
func (q *request) limits(c Config) sandbox.Limits {
	run := seconds(q.RunTimeout, c.RunTime)
	l := sandbox.Limits{
		Steps: max(int64(run.Seconds()*stepsSecond), 1), Wall: run + max(run, seconds(q.CompileTimeout, c.RunTime)), OutputBytes: c.OutputBytes,
		MemoryBytes: min(512<<20, c.MemoryBytes),
	}
	if c.RealTime {
		l.Steps, l.Wall = 0, run
	}
	if q.MemoryMB != nil && *q.MemoryMB > 0 {
		l.MemoryBytes = min(max(int64(*q.MemoryMB*(1<<20)), 1), c.MemoryBytes) // 0 would be the usual
	}
	return l
}

// UsualLimits are those of a program whose request names none.
func UsualLimits() sandbox.Limits { return (&request{}).limits(Config{}.withDefaults()) }
