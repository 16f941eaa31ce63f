package mcp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/web/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestOverHTTPOnlyWithTheToken(t *testing.T) {
	c := config(t, tree(t))
	c.Token = "correct-horse-battery"
	server, err := mcp.New(c)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(server)
	defer web.Close()
	for _, test := range []struct {
		path, header, value string
		status              int
	}{
		{mcp.Path, "", "", http.StatusUnauthorized},
		{"/t/wrong" + mcp.Path, "", "", http.StatusUnauthorized},
		{"/t/" + c.Token + mcp.Path, "Origin", "https://evil.example", http.StatusForbidden},
		{"/t/" + c.Token + mcp.Path, "Host", "evil.example", http.StatusMisdirectedRequest},
		{"/t/" + c.Token + "/other", "", "", http.StatusNotFound},
		{"/t/" + c.Token + mcp.Path, "X-Large", "yes", http.StatusRequestEntityTooLarge},
	} {
		body := "{}"
		if test.header == "X-Large" {
			body = strings.Repeat(" ", 5<<20)
		}
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, web.URL+test.path, strings.NewReader(body))
		if test.header == "Host" {
			r.Host = test.value
		} else if test.header != "" {
			r.Header.Set(test.header, test.value)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != test.status || strings.Contains(string(text), c.Token) {
			t.Errorf("%+v: %d, %s", test, answer.StatusCode, text)
		}
	}
	cl := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
	s, err := cl.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL + "/t/" + c.Token + mcp.Path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ask(t, s, "graph", map[string]any{"path": "app", "query": "symbols", "file": "a.py"})
}

func TestReportsAreResources(t *testing.T) {
	c := config(t, tree(t))
	s := client(t, c, nil)
	run := ask(t, s, "review", map[string]any{"path": "app"})["run"].(string)
	all, err := s.ListResources(t.Context(), nil)
	if err != nil || len(all.Resources) != 3 {
		t.Fatalf("%v, %+v", err, all)
	}
	for _, r := range all.Resources {
		got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || !strings.Contains(got.Contents[0].Text, "eval") {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
	if templates, err := s.ListResourceTemplates(t.Context(), nil); err != nil || len(templates.ResourceTemplates) != 3 {
		t.Errorf("templates: %v, %+v", err, templates)
	}
	report := filepath.Join(c.Runs, run, "report.md")
	if err := os.WriteFile(report, []byte(strings.Repeat("text\n", 900_000)), 0o644); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	sarif := filepath.Join(c.Runs, run, "report.sarif")
	if err := os.Remove(sarif); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, sarif); err != nil {
		t.Fatal(err)
	}
	for _, uri := range []string{
		"deeprepo://runs/" + run + "/report.md", "deeprepo://runs/" + run + "/report.sarif", "deeprepo://runs/" + run + "/trace.jsonl",
		"deeprepo://runs/..%2F..%2Fetc/report.md", "deeprepo://runs/../report.json", "deeprepo://runs//report.json", "file:///etc/passwd",
	} {
		if got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s was read: %.100s", uri, got.Contents[0].Text)
		}
	}
}
