package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

func formatted(t testing.TB, format string, r runfile.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, r, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGoldenFormats(t *testing.T) {
	for _, format := range []string{"github", "gitlab", "junit", "markdown"} {
		runtest.Golden(t, "format."+format, formatted(t, format, verifiedSample().Report))
	}
}

func TestEveryFormatIsWritten(t *testing.T) {
	for _, format := range Formats() {
		if len(formatted(t, format, runfile.Report{})) == 0 && format != "github" {
			t.Errorf("%s writes nothing of a review that found nothing", format)
		}
	}
	if err := Write(io.Discard, "yaml", runfile.Report{}, ""); err == nil {
		t.Error("yaml is written")
	}
}

// command is what GitHub's runner makes of a line.
type command struct {
	name, data string
	properties map[string]string
}

// readCommand reads a line as GitHub's runner does (src/Runner.Common/ActionCommand.cs).
func readCommand(line string) (c command, ok bool) {
	line = strings.TrimLeft(line, " \t")
	if !strings.HasPrefix(line, "::") {
		return c, false
	}
	info, data, found := strings.Cut(line[2:], "::")
	if !found {
		return c, false
	}
	name, rest, _ := strings.Cut(info, " ")
	c = command{name, strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(data), map[string]string{}}
	for _, property := range strings.Split(strings.TrimSpace(rest), ",") {
		if key, value, ok := strings.Cut(property, "="); ok && value != "" {
			c.properties[key] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
		}
	}
	return c, true
}

// checkCommands wants one command for each finding, and what the finding says in it.
func checkCommands(t *testing.T, r runfile.Report) {
	t.Helper()
	out := string(formatted(t, "github", r))
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	var commands []command
	for _, line := range lines {
		c, ok := readCommand(line)
		if !ok || !slices.Contains([]string{"error", "warning", "notice"}, c.name) {
			t.Fatalf("no command of ours: %q", line)
		}
		commands = append(commands, c)
	}
	r = normal(r)
	if n := len(missing(r)); n > 0 {
		if commands[0].data != strings.Join(missing(r), "\n") {
			t.Errorf("what is missing became %q", commands[0].data)
		}
		commands = commands[1:]
	}
	all := ordered(r)
	if len(commands) != len(all) {
		t.Fatalf("%d commands for %d findings", len(commands), len(all))
	}
	for i, f := range all {
		c := commands[i]
		for key := range c.properties {
			if !slices.Contains([]string{"file", "line", "endLine", "title"}, key) {
				t.Errorf("a property %q of %q", key, lines[i])
			}
		}
		if c.properties["file"] != termtext.Visible(f.File) || c.properties["title"] != termtext.Inline(capital(f.Severity)+": "+f.Title) {
			t.Errorf("%q became %q", f, c.properties)
		}
		if !strings.HasPrefix(c.data, plainText(f, maxMessage)) {
			t.Errorf("%q became %q", plainText(f, maxMessage), c.data)
		}
	}
}

// moreAttacks are texts that mean something to a host of code or a reader of XML.
var moreAttacks = []string{
	"x\n::stop-commands::pwned", "\r::add-mask::a", "::error::", "##[add-path]/tmp", "a,line=1,file=b::c", "100%0A::error::x %25 %0D",
	"]]> <![CDATA[ &bogus; <!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]> &e;", "\ufffe\uffff\ud7ff\x0b\x0c\x1f\x7f",
	"@octocat fixes #1, GH-2, gh-3, octo/repo#4 and octo/repo@0123456", "<!-- deeprepo -->", "![x](//evil.example/a.png)",
	strings.Repeat("@all #1 | ", 20_000),
}

func TestGitHubCommandsAreOurs(t *testing.T) {
	checkCommands(t, sample().Report)
	for _, x := range slices.Concat(attacks, moreAttacks) {
		checkCommands(t, hostile(x).Report)
	}
	c, _ := readCommand(strings.SplitN(string(formatted(t, "github", sample().Report)), "\n", 3)[1])
	if c.name != "error" || c.properties["file"] != "app/db.py" || c.properties["line"] != "5" || c.properties["title"] !=
		"Critical: SQL built from input" {
		t.Errorf("%+v", c)
	}
}

func checkJUnit(t *testing.T, r runfile.Report) {
	t.Helper()
	out := formatted(t, "junit", r)
	in := xml.NewDecoder(bytes.NewReader(out))
	count := map[string]int{}
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		switch token := token.(type) {
		case xml.StartElement:
			count[token.Name.Local]++
		case xml.Directive, xml.Comment:
			t.Fatalf("%T in %s", token, out)
		}
	}
	r = normal(r)
	failed := len(r.Findings)
	want := map[string]int{"testsuites": 1, "testsuite": 1, "testcase": 1 + failed + len(r.Suppressed), "failure": failed,
		"skipped": len(r.Suppressed), "error": 0}
	if r.Run.Status != trace.StatusCompleted {
		want["error"] = 1
	}
	for name, n := range want {
		if count[name] != n {
			t.Errorf("%d elements %s, want %d", count[name], name, n)
		}
		delete(count, name)
	}
	if len(count) > 0 {
		t.Errorf("elements that are not ours: %v", count)
	}
	var back junitSuites
	if err := xml.Unmarshal(out, &back); err != nil {
		t.Fatal(err)
	}
	if back.Tests != want["testcase"] || back.Failures != failed || back.Errors != want["error"] || len(back.Suite.Cases) != back.Tests {
		t.Errorf("%+v", back)
	}
	for i, f := range ordered(r) {
		if got := back.Suite.Cases[1+i].Failure; got.Message != junitLine(f.Title) {
			t.Errorf("%q became %q", f.Title, got.Message)
		}
	}
	checkVisible(t, "junit", string(out), false)
}

func TestJUnitIsWellFormed(t *testing.T) {
	checkJUnit(t, sample().Report)
	checkJUnit(t, offline().Report)
	for _, x := range slices.Concat(attacks, moreAttacks) {
		checkJUnit(t, hostile(x).Report)
	}
}

func TestGitLabIssues(t *testing.T) {
	r := verifiedSample().Report
	r.Findings = append(r.Findings, r.Findings[0]) // twice the same ID: both are kept apart
	var issues []qualityIssue
	if err := json.Unmarshal(formatted(t, "gitlab", r), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] || !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(i.Fingerprint) {
			t.Errorf("the fingerprint %q", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
		if !slices.Contains([]string{"info", "minor", "major", "critical", "blocker"}, i.Severity) || i.Location.Path == "" ||
			i.Location.Lines.Begin < 1 || i.Description == "" || i.CheckName == "" {
			t.Errorf("%+v", i)
		}
	}
	if want := len(finding.Apart(r.Findings)); len(issues) != want || len(issues) < 5 {
		t.Errorf("%d issues, want %d", len(issues), want)
	}
	first := issues[0].Fingerprint
	r.Findings[0].Line, r.Findings[0].EndLine = 70, 70
	if err := json.Unmarshal(formatted(t, "gitlab", r), &issues); err != nil || issues[0].Fingerprint != first {
		t.Errorf("a finding that moved is %v, %v", issues[0], err)
	}
	if got := string(formatted(t, "gitlab", runfile.Report{})); got != "[]\n" {
		t.Errorf("no findings are %q", got)
	}
}

// checkComment reads a comment as a host does, and looks for what would call somebody, link something or end the table.
func checkComment(t *testing.T, r runfile.Report) {
	t.Helper()
	raw := formatted(t, "markdown", r)
	if !bytes.HasPrefix(raw, []byte(CommentMarker+"\n")) || len(raw) > 60_000 {
		t.Fatalf("%d bytes, which begin with %.40q", len(raw), raw)
	}
	checkVisible(t, "comment", string(raw), false)
	host := goldmark.New(goldmark.WithExtensions(extension.GFM))
	var page bytes.Buffer
	if err := host.Convert(raw, &page); err != nil {
		t.Fatal(err)
	}
	shown := html.UnescapeString(regexp.MustCompile(`(?s)<code>.*?</code>|<[^>]*>`).ReplaceAllString(page.String(), " "))
	if acts := regexp.MustCompile(`(?i)@\w|#\d|gh-\d`).FindString(shown); acts != "" {
		t.Errorf("a host acts on %q in %q", acts, raw)
	}
	doc := host.Parser().Parse(text.NewReader(raw))
	rows := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan:
			return ast.WalkSkipChildren, nil
		case *ast.Link, *ast.Image, *ast.AutoLink:
			t.Errorf("a %s in %s", n.Kind(), raw)
		case *ast.RawHTML:
			if tag := string(n.Segments.Value(raw)); tag != "<sub>" && tag != "</sub>" {
				t.Errorf("HTML %q", tag)
			}
		}
		if n.Kind().String() == "TableRow" {
			rows++
			if n.ChildCount() != 3 {
				t.Errorf("a row of %d cells in %s", n.ChildCount(), raw)
			}
		}
		return ast.WalkContinue, nil
	})
	if want := min(maxTop, len(r.Findings)); rows != want {
		t.Errorf("%d rows, want %d: %s", rows, want, raw)
	}
}

func TestCommentsCallNobody(t *testing.T) {
	many := sample().Report
	for range 30 {
		many.Findings = append(many.Findings, many.Findings[0])
	}
	checkComment(t, many)
	if !bytes.Contains(formatted(t, "markdown", many), []byte("\nand 23 more\n")) {
		t.Error("a comment does not say how many findings it leaves out")
	}
	for _, x := range slices.Concat(attacks, moreAttacks) {
		checkComment(t, hostile(x).Report)
	}
	if err := Write(failing{}, "markdown", many, ""); err == nil {
		t.Error("a full disk goes unseen")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("full") }

func FuzzFormats(f *testing.F) {
	for _, x := range slices.Concat(attacks, moreAttacks) {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x string) {
		r := hostile(x).Report
		checkCommands(t, r)
		checkJUnit(t, r)
		if out := formatted(t, "gitlab", r); !json.Valid(out) || !utf8.Valid(out) {
			t.Fatalf("%q", out)
		}
		if len(x) < 10_000 {
			checkComment(t, r)
		}
	})
}
