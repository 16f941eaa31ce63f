package ui_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

const secret = "correct-horse-battery"

// someRun makes a run's directory: a manifest and a journal are enough for one.
func someRun(t testing.TB, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, "run.json"),
		`{"schema": 1, "id": "r", "command": "analyze", "started_at": "2026-11-21T10:00:00Z", "options": {}}`)
	runtest.WriteFile(t, filepath.Join(dir, "trace.jsonl"), `{"schema": 1, "seq": 0, "type": "start"}`+"\n")
	return dir
}

// serve starts a server and gives its address without the token. It ends with the test.
func serve(t testing.TB, c ui.Config) string {
	t.Helper()
	s, err := ui.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
		s.Close()
	})
	return "http://" + l.Addr().String()
}

// ask sends a request as it is: no redirect is followed, nothing is unpacked.
func ask(t testing.TB, method, url string, header map[string]string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		r.Header.Set(k, v)
		if k == "Host" {
			r.Host = v
		}
	}
	client := http.Client{
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

func TestAccess(t *testing.T) {
	dir := someRun(t, t.TempDir())
	base := serve(t, ui.Config{Dirs: []string{dir}, Token: secret, Hosts: []string{"workstation"}})
	port := base[strings.LastIndex(base, ":")+1:]
	cookie := "deeprepo-" + port + "=" + secret
	for _, test := range []struct {
		name, method, path string
		header             map[string]string
		want               int
	}{
		{"no token", "GET", "/api/runs", nil, 401},
		{"no token for the page", "GET", "/", nil, 401},
		{"no token for the bundle", "GET", "/app.js", nil, 401},
		{"the token in the path", "GET", "/t/" + secret + "/api/runs", nil, 200},
		{"a wrong one", "GET", "/t/wrong/api/runs", nil, 401},
		{"its beginning", "GET", "/t/" + secret[:9] + "/api/runs", nil, 401},
		{"a bearer token", "GET", "/api/runs", map[string]string{"Authorization": "Bearer " + secret}, 200},
		{"a wrong bearer token", "GET", "/api/runs", map[string]string{"Authorization": "Bearer wrong"}, 401},
		{"the cookie", "GET", "/api/runs", map[string]string{"Cookie": cookie}, 200},
		{"the cookie for the page", "GET", "/", map[string]string{"Cookie": cookie}, 200},
		{"a wrong cookie", "GET", "/", map[string]string{"Cookie": "deeprepo-" + port + "=wrong"}, 401},
		{"another port's cookie", "GET", "/", map[string]string{"Cookie": "deeprepo-1=" + secret}, 401},
		{"the right one of two cookies", "GET", "/", map[string]string{"Cookie": "deeprepo-" + port + "=old; " + cookie}, 200},
		{"the right one before another", "GET", "/", map[string]string{"Cookie": cookie + "; deeprepo-" + port + "=old"}, 200},
		{"a wrong path token beside the cookie", "GET", "/t/wrong/", map[string]string{"Cookie": cookie}, 401},
		{"a visit with the token", "GET", "/t/" + secret + "/", nil, 303},
		{"without the slash", "GET", "/t/" + secret, nil, 303},
		{"from a link on somebody's page", "GET", "/t/" + secret + "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200},
		{"in somebody's frame", "GET", "/t/" + secret + "/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
		{"asked by somebody's page", "GET", "/api/runs", map[string]string{"Cookie": cookie, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"asked by a page of another port", "GET", "/api/runs", map[string]string{"Cookie": cookie, "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"}, 403},
		{"asked by the page itself", "GET", "/api/runs", map[string]string{"Cookie": cookie, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}, 200},
		{"somebody's origin", "GET", "/api/runs", map[string]string{"Cookie": cookie, "Origin": "https://evil.example"}, 403},
		{"a file's origin", "GET", "/api/runs", map[string]string{"Cookie": cookie, "Origin": "null"}, 403},
		{"a name that points here", "GET", "/api/runs", map[string]string{"Cookie": cookie, "Host": "evil.example:" + port}, 421},
		{"a name that was given", "GET", "/t/" + secret + "/api/runs", map[string]string{"Host": "workstation:" + port}, 200},
		{"POST", "POST", "/t/" + secret + "/api/runs", nil, 405},
		{"DELETE", "DELETE", "/t/" + secret + "/api/runs", nil, 405},
		{"OPTIONS", "OPTIONS", "/api/runs", map[string]string{"Origin": "https://evil.example"}, 405},
	} {
		answer, body := ask(t, test.method, base+test.path, test.header)
		if answer.StatusCode != test.want {
			t.Errorf("%s: %d, want %d: %s", test.name, answer.StatusCode, test.want, body)
		}
		if strings.Contains(body, secret) || strings.Contains(answer.Header.Get("Location"), secret) {
			t.Errorf("%s: the answer holds the token", test.name)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; script-src 'self'; ", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
		} {
			if got := answer.Header.Get(name); !strings.HasPrefix(got, want) || strings.Contains(got, "unsafe") {
				t.Errorf("%s: %s is %q", test.name, name, got)
			}
		}
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%s: pages of %q may read the answer", test.name, got)
		}
	}
}

func TestVisitWithTheToken(t *testing.T) {
	base := serve(t, ui.Config{Dirs: []string{someRun(t, t.TempDir())}, Token: secret})
	answer, _ := ask(t, "GET", base+"/t/"+secret+"/", nil)
	cookies := answer.Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Path != "/" ||
		cookies[0].MaxAge != 0 {
		t.Fatalf("the cookies are %v", cookies)
	}
	to, err := answer.Location()
	if err != nil || to.String() != base+"/" {
		t.Errorf("sent on to %v, %v", to, err)
	}
	if answer, body := ask(t, "GET", base+"/", map[string]string{"Cookie": cookies[0].Name + "=" +
		cookies[0].Value}); answer.StatusCode != 200 || !strings.Contains(body, `src="app.js"`) {
		t.Errorf("%d: %s", answer.StatusCode, body)
	}
	answer, _ = ask(t, "GET", base+"/t/"+secret+"/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate",
		"Sec-Fetch-Dest": "document"})
	if got := answer.Header.Get("Refresh"); got != "0; url=../../" || len(answer.Cookies()) != 1 {
		t.Errorf("from a link: Refresh is %q, cookies %v", got, answer.Cookies())
	}
}

func TestDocuments(t *testing.T) {
	dir := someRun(t, t.TempDir())
	base := serve(t, ui.Config{Dirs: []string{dir}})
	answer, body := ask(t, "GET", base+"/api/runs", nil)
	var list struct {
		Runs []struct{ ID, Kind, Path string }
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Runs) != 1 || list.Runs[0].Path != dir ||
		list.Runs[0].ID != view.ID(dir) {
		t.Fatalf("%v: %s", err, body)
	}
	if got := answer.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("the type is %q", got)
	}
	header := base + "/api/runs/" + list.Runs[0].ID
	answer, body = ask(t, "GET", header, nil)
	if answer.StatusCode != 200 || !strings.Contains(body, `"kind":"review"`) {
		t.Errorf("%d: %s", answer.StatusCode, body)
	}
	if again, _ := ask(t, "GET", header+"/", map[string]string{"If-None-Match": `"x", ` +
		answer.Header.Get("ETag")}); again.StatusCode != 304 {
		t.Errorf("what is known was sent again: %d", again.StatusCode)
	}
	if head, body := ask(t, "HEAD", header, nil); head.StatusCode != 200 || body != "" ||
		head.Header.Get("ETag") != answer.Header.Get("ETag") {
		t.Errorf("HEAD: %d, %q", head.StatusCode, body)
	}
	for _, path := range []string{
		"/api", "/api/", "/api/nothing", "/api/runs/000000000000", "/api/runs/" + list.Runs[0].ID + "/nothing", "/api/runs//x", "/nothing", "/index.html",
		"/api/runs/" + list.Runs[0].ID + "/../../../etc/passwd", "/api/runs/" + list.Runs[0].ID + "/%2e%2e/%2e%2e/etc/passwd", "/api/runs/..", "/app.js/",
		"/api/runs/" + list.Runs[0].ID + "/file/..%2f..%2fetc%2fpasswd", "/api/runs/nothing/live", "/app/main.tsx", "//api/runs",
	} {
		answer, body := ask(t, "GET", base+path, nil)
		var p struct{ Message string }
		if answer.StatusCode != 404 || json.Unmarshal([]byte(body), &p) != nil || p.Message == "" {
			t.Errorf("%s: %d: %s", path, answer.StatusCode, body)
		}
	}
	if answer, body := ask(t, "GET", base+"/api/runs/0", map[string]string{"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate",
		"Sec-Fetch-Site": "none"}); !strings.HasPrefix(body, "deeprepo: error: ") || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("who typed the address sees %s", body)
	}
}

func TestPacked(t *testing.T) {
	base := serve(t, ui.Config{Dirs: []string{someRun(t, t.TempDir())}})
	plain, want := ask(t, "GET", base+"/app.js", nil)
	if plain.Header.Get("Content-Encoding") != "" || plain.Header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%v", plain.Header)
	}
	packed, body := ask(t, "GET", base+"/app.js", map[string]string{"Accept-Encoding": "br, gzip;q=0.5"})
	if packed.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("%v", packed.Header)
	}
	r, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != want {
		t.Errorf("unpacked it is something else: %v", err)
	}
	if none, _ := ask(t, "GET", base+"/app.js", map[string]string{"Accept-Encoding": "gzip;q=0"}); none.Header.Get("Content-Encoding") != "" {
		t.Error("packed for one who refuses it")
	}
}

// A directory that goes while it is looked at, and another one that takes its place.
func TestRunThatVanishes(t *testing.T) {
	var said bytes.Buffer
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(home, "run", "x"), "")
	dir := someRun(t, filepath.Join(home, "run"))
	base := serve(t, ui.Config{Dirs: []string{home}, Log: slog.New(slog.NewTextHandler(&said, nil))})
	header := base + "/api/runs/" + view.ID(dir)
	if answer, body := ask(t, "GET", header, nil); answer.StatusCode != 200 {
		t.Fatalf("%d: %s", answer.StatusCode, body)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if answer, body := ask(t, "GET", header, nil); answer.StatusCode != 404 || !strings.Contains(body, "gone") {
		t.Errorf("%d: %s", answer.StatusCode, body)
	}
	runtest.WriteFile(t, filepath.Join(dir, "x"), "")
	someRun(t, dir)
	runtest.WriteFile(t, filepath.Join(dir, "report.json"), `{"schema": 1, "run": {"status": "completed"}}`)
	if answer, body := ask(t, "GET", header, nil); answer.StatusCode != 200 || !strings.Contains(body, "findings") {
		t.Errorf("%d: %s", answer.StatusCode, body)
	}
	// Another directory in its place, with no request meanwhile.
	if err := os.Rename(dir, filepath.Join(home, "old")); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, "x"), "")
	someRun(t, dir)
	if answer, body := ask(t, "GET", header, nil); answer.StatusCode != 200 || strings.Contains(body, "findings") {
		t.Errorf("the run that is gone is still shown: %d: %s", answer.StatusCode, body)
	}
	if said.Len() > 0 {
		t.Errorf("the log says %s", said.String())
	}
}

func TestLargeDocumentIsRefused(t *testing.T) {
	base := serve(t, ui.Config{Dirs: []string{someRun(t, t.TempDir())}, DocumentBytes: 50})
	if answer, body := ask(t, "GET", base+"/api/runs", nil); answer.StatusCode != 413 {
		t.Errorf("%d: %s", answer.StatusCode, body)
	}
}

func TestServerNeedsDirectories(t *testing.T) {
	if _, err := ui.New(ui.Config{}); err == nil {
		t.Error("no error")
	}
}

// With all turns taken by documents that take for ever, the next client hears so instead of waiting for ever. A FIFO in a
// run's directory is such a document, where reading one is possible at all: here the turns are taken by tiny time limits.
func TestTimeLimit(t *testing.T) {
	base := serve(t, ui.Config{Dirs: []string{someRun(t, t.TempDir())}, Timeout: time.Nanosecond, Concurrency: 1})
	if answer, body := ask(t, "GET", base+"/api/runs", nil); answer.StatusCode != 503 || answer.Header.Get("Retry-After") == "" {
		t.Errorf("%d: %s", answer.StatusCode, body)
	}
}

func TestHalfOpenConnectionsDoNotBlockThePage(t *testing.T) {
	base := serve(t, ui.Config{Dirs: []string{t.TempDir()}, Token: secret})
	for range 600 {
		c, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: 127")
	}
	began := time.Now()
	answer, _ := ask(t, "GET", base+"/t/"+secret+"/api/runs", nil)
	if took := time.Since(began); answer.StatusCode != 200 || took > 3*time.Second { // a moment, but machines are busy
		t.Errorf("%d after %v", answer.StatusCode, took)
	}
}
