package ui_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/triage"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

const writing = "staple-battery-horse"

// triaged is a server that allows decisions about one finding, and the codebase of its review.
func triaged(t *testing.T, token string) (base, repo, id string) {
	t.Helper()
	dir, repo := decidable(t)
	return serve(t, ui.Config{Dirs: []string{dir}, Token: secret, TriageToken: token, User: "ann"}), repo, view.ID(dir)
}

// deciding is such a server without a listener.
func deciding(t *testing.T, token string) (s *ui.Server, repo, id string) {
	t.Helper()
	dir, repo := decidable(t)
	s, err := ui.New(ui.Config{Dirs: []string{dir}, Token: secret, TriageToken: token})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, repo, view.ID(dir)
}

// decidable lays a review with one finding, and its codebase.
func decidable(t *testing.T) (dir, repo string) {
	t.Helper()
	repo = runtest.Tree(t, map[string]string{"a.py": "import os\nos.system(x)\n"})
	dir = someRun(t, t.TempDir())
	report, err := json.Marshal(map[string]any{
		"schema": 1, "repo": map[string]any{"path": repo}, "run": map[string]any{"status": "completed"},
		"findings": []map[string]any{{"id": "0123456789abcdef", "fingerprint": "fedcba9876543210", "title": "A shell", "severity": "high",
			"category": "injection", "file": "a.py", "line": 2, "end_line": 2, "evidence": "os.system(x)", "grounded": true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, "report.json"), string(report))
	return dir, repo
}

// post sends a decision.
func post(t *testing.T, url, body string, header map[string]string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for k, v := range header {
		r.Header.Set(k, v)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

const accept = `{"finding":"0123456789abcdef","state":"accepted","reason":"internal only","until":"2999-01-31"}`

func TestADecisionIsWritten(t *testing.T) {
	base, repo, id := triaged(t, writing)
	// The second URL sets both cookies on the way to the page.
	answer, _ := ask(t, http.MethodGet, base+"/t/"+secret+"/w/"+writing+"/", nil)
	if answer.StatusCode != http.StatusSeeOther || answer.Header.Get("Location") != "../../" || len(answer.Cookies()) != 1 ||
		!answer.Cookies()[0].HttpOnly || answer.Cookies()[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	cookie := answer.Cookies()[0].Name + "=" + answer.Cookies()[0].Value
	url := base + "/t/" + secret + "/api/runs/" + id + "/triage"
	page := map[string]string{"Cookie": cookie, "Origin": base, "Sec-Fetch-Site": "same-origin"}
	status, text := post(t, url, accept, page)
	var d ui.Decisions
	if err := json.Unmarshal([]byte(text), &d); err != nil || status != http.StatusOK || !d.Allowed ||
		d.Findings["0123456789abcdef"].By != "ann" {
		t.Fatalf("%d %s", status, text)
	}
	known, err := triage.ReadFile(filepath.Join(repo, triage.Name))
	if err != nil || len(known.Decisions) != 1 || known.Decisions[0].State != triage.Accepted ||
		known.Decisions[0].Reason != "internal only" || known.Decisions[0].File != "a.py" || known.Decisions[0].Until != "2999-01-31" {
		t.Errorf("%v %+v", err, known)
	}
	if _, text := ask(t, http.MethodGet, url, map[string]string{"X-Deeprepo-Triage": writing}); !strings.Contains(text, `"accepted"`) {
		t.Errorf("the decision is not shown: %s", text)
	}
	if _, text := ask(t, http.MethodGet, url, nil); strings.Contains(text, "accepted") || !strings.Contains(text, `"allowed":false`) {
		t.Errorf("who may not decide is told: %s", text)
	}
	token := map[string]string{"X-Deeprepo-Triage": writing}
	if status, text := post(t, url, strings.Replace(accept, "accepted", "open", 1), token); status != 200 {
		t.Errorf("a program with the token: %d %s", status, text)
	}
}

func TestDecisionsAreRefused(t *testing.T) {
	base, repo, id := triaged(t, writing)
	url := base + "/t/" + secret + "/api/runs/" + id + "/triage"
	token := map[string]string{"X-Deeprepo-Triage": writing}
	with := func(more ...string) map[string]string {
		all := map[string]string{"X-Deeprepo-Triage": writing}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	port := base[strings.LastIndexByte(base, ':')+1:]
	cookie := "deeprepo-triage-" + port + "=" + writing
	for name, c := range map[string]struct {
		url, body string
		header    map[string]string
		status    int
		says      string
	}{
		"without the first token":   {base + "/api/runs/" + id + "/triage", accept, token, 401, "token is missing"},
		"without the second":        {url, accept, nil, 403, "its own token"},
		"with another one":          {url, accept, map[string]string{"X-Deeprepo-Triage": secret}, 403, "its own token"},
		"the first one's cookie":    {url, accept, map[string]string{"Cookie": strings.Replace(cookie, writing, secret, 1)}, 403, "its own token"},
		"a cookie from nowhere":     {url, accept, map[string]string{"Cookie": cookie}, 403, "only the page itself"},
		"a cookie from others":      {url, accept, map[string]string{"Cookie": cookie, "Origin": "http://evil.example"}, 403, "are refused"},
		"from another port":         {url, accept, map[string]string{"Cookie": cookie, "Origin": "http://127.0.0.1:1"}, 403, "are refused"},
		"a page of the same site":   {url, accept, with("Sec-Fetch-Site", "same-site"), 403, "are refused"},
		"a form":                    {url, accept, with("Content-Type", "text/plain"), 415, "is JSON"},
		"no JSON":                   {url, "{", token, 400, "no JSON of ours"},
		"too long":                  {url, `{"reason":"` + strings.Repeat("x", 17<<10) + `"}`, token, 413, "too long"},
		"no reason":                 {url, strings.Replace(accept, "internal only", " ", 1), token, 400, "needs its reason"},
		"no state":                  {url, strings.Replace(accept, "accepted", "gone", 1), token, 400, "a state is one of"},
		"a day that is over":        {url, strings.Replace(accept, "2999", "1999", 1), token, 400, "is over"},
		"no finding":                {url, strings.Replace(accept, "0123", "3210", 1), token, 404, "no such finding"},
		"no run":                    {base + "/t/" + secret + "/api/runs/000000000000/triage", accept, token, 404, "no such run"},
		"another document":          {base + "/t/" + secret + "/api/runs/" + id + "/x/triage", accept, token, 404, "nothing to decide"},
		"a document that is no run": {base + "/t/" + secret + "/api/triage", accept, token, 404, "nothing to decide"},
	} {
		if status, text := post(t, c.url, c.body, c.header); status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s, want %d %q", name, status, text, c.status, c.says)
		}
	}
	if answer, _ := ask(t, http.MethodGet, base+"/t/"+secret+"/w/"+secret+"/", nil); answer.StatusCode != 403 || len(answer.Cookies()) != 0 {
		t.Errorf("a wrong second token: %d, cookies %v", answer.StatusCode, answer.Cookies())
	}
	if _, err := os.Stat(filepath.Join(repo, ".deeprepo")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
	// A link in the codebase leads nowhere.
	if err := os.Symlink(t.TempDir(), filepath.Join(repo, ".deeprepo")); err != nil {
		t.Fatal(err)
	}
	if status, text := post(t, url, accept, token); status != 409 || !strings.Contains(text, "is a link") {
		t.Errorf("a link: %d %s", status, text)
	}
	// Without --allow-triage there is nothing to write to.
	base, _, id = triaged(t, "")
	for _, header := range []map[string]string{nil, {"X-Deeprepo-Triage": ""}, token} {
		if status, _ := post(t, base+"/t/"+secret+"/api/runs/"+id+"/triage", accept, header); status != 405 {
			t.Errorf("a server that allows no decisions: %d", status)
		}
	}
}

// Whatever is sent, the answer is one of ours and the file stays one that can be read.
func FuzzDecision(f *testing.F) {
	f.Add([]byte(accept))
	f.Add([]byte(`{"finding":"0123456789abcdef","state":"open","reason":"\u0000","until":""}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, body []byte) {
		server, repo, id := deciding(t, writing)
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/t/"+secret+"/api/runs/"+id+"/triage", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Deeprepo-Triage", writing)
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code != 200 && (w.Code < 400 || w.Code >= 500) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		known, err := triage.ReadFile(filepath.Join(repo, triage.Name))
		if err != nil || (w.Code == 200) != (len(known.Decisions) == 1) {
			t.Fatalf("%d, then %v %+v", w.Code, err, known)
		}
	})
}
