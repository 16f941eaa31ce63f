package simulation_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// viewer renders Markdown as the most careless viewer does: raw HTML is taken as it is.
var viewer = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))

// unsafe says what of the repository's or a model's text got through to where it could act, and which report is malformed.
func unsafe(p played) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	var terminal strings.Builder
	if err := report.Text(&terminal, p.out.Report, report.Style{}); err != nil {
		say("report.Text: %v", err)
	}
	for what, text := range map[string]string{"the summary": terminal.String(), "a line for the user": strings.Join(p.said, "\n")} {
		if i := strings.IndexFunc(text, dangerous); i >= 0 {
			say("%s holds a control character: %q", what, text[max(0, i-30):min(len(text), i+30)])
		}
	}
	read := func(ext string) []byte {
		data, err := os.ReadFile(filepath.Join(p.dir, "report."+ext))
		if err != nil {
			say("%v", err)
		}
		return data
	}
	md := read("md")
	var page bytes.Buffer
	if err := viewer.Convert(md, &page); err != nil {
		say("report.md: %v", err)
	}
	for what, text := range map[string]string{"report.md as a page": page.String(), "report.html": string(read("html"))} {
		for _, bad := range []string{"<img src=x", `href="javascript:alert`} {
			if i := strings.Index(text, bad); i >= 0 {
				say("%s holds markup: %q", what, text[max(0, i-60):min(len(text), i+60)])
			}
		}
	}
	if i := strings.IndexFunc(string(md), dangerous); i >= 0 {
		say("report.md holds a control character: %q", md[max(0, i-30):min(len(md), i+30)])
	}
	if !json.Valid(read("json")) {
		say("report.json is no JSON")
	}
	var sarif struct {
		Runs []struct {
			Invocations []struct {
				ExecutionSuccessful bool `json:"executionSuccessful"`
			} `json:"invocations"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(read("sarif"), &sarif); err != nil {
		say("report.sarif: %v", err)
	} else if len(sarif.Runs) != 1 || len(sarif.Runs[0].Invocations) != 1 ||
		sarif.Runs[0].Invocations[0].ExecutionSuccessful != (p.out.Report.Run.Status == trace.StatusCompleted) {
		say("report.sarif says %+v, the run is %s", sarif.Runs, p.out.Report.Run.Status)
	}
	return wrong
}

// dangerous are the characters that a terminal acts on, and those that turn text around.
func dangerous(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
