package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html"
)

// hostile is what would do harm if any of it became markup.
const hostile = `</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>` + "\u2028\x00]]>"

// write gives a file's text and its elements.
func write(t *testing.T, title string, a page.Archive) (string, *html.Node) {
	t.Helper()
	var b bytes.Buffer
	if err := page.WriteFile(&b, title, a); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), root
}

func elements(root *html.Node, name string) []*html.Node {
	var list []*html.Node
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			list = append(list, n)
		}
	}
	return list
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

func asJSON(t *testing.T, v any) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFileHoldsItsDocuments(t *testing.T) {
	large := asJSON(t, map[string]string{"text": strings.Repeat(hostile, 500)})
	a := page.Archive{
		"":               asJSON(t, map[string]string{"name": hostile}),
		"turn/1":         json.RawMessage(`{"code": "` + strings.ReplaceAll(`</ScRiPt ><script>`, `"`, `\"`) + `"}`),
		"file/" + "a\nb": large,
		"trace":          large,
	}
	_, root := write(t, hostile, a)
	scripts := elements(root, "script")
	if len(scripts) != 3 {
		t.Fatalf("%d scripts: a document has become markup", len(scripts))
	}
	if n := len(elements(root, "img")); n != 0 {
		t.Errorf("%d images", n)
	}
	if got := text(elements(root, "title")[0]); !strings.HasPrefix(got, "</script>") {
		t.Errorf("the title is %q", got)
	}
	got := map[string]string{}
	var plain map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text(scripts[0])), &plain); err != nil {
		t.Fatal(err)
	}
	for path, document := range plain {
		got[path] = string(document)
	}
	if _, ok := plain[""]; !ok {
		t.Error("the run itself is packed")
	}
	packed, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text(scripts[1]))))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(unpacked), "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		var path string
		if err := json.Unmarshal([]byte(lines[i]), &path); err != nil {
			t.Fatal(err)
		}
		got[path] = lines[i+1]
	}
	for path, want := range a {
		var x, y any
		if err := json.Unmarshal([]byte(got[path]), &x); err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		_ = json.Unmarshal(want, &y)
		if fmt.Sprint(x) != fmt.Sprint(y) {
			t.Errorf("%q is another document than was put in", path)
		}
	}
	if len(got) != len(a) {
		t.Errorf("%d documents, want %d", len(got), len(a))
	}
}

func TestFilePolicyIsOfWhatItHolds(t *testing.T) {
	_, root := write(t, "a run", page.Archive{"": json.RawMessage(`{}`)})
	policy := ""
	for _, meta := range elements(root, "meta") {
		if strings.EqualFold(attribute(meta, "http-equiv"), "Content-Security-Policy") {
			policy = attribute(meta, "content")
		}
	}
	var runs []*html.Node
	for _, s := range elements(root, "script") {
		if attribute(s, "type") == "" {
			runs = append(runs, s)
		}
	}
	for directive, n := range map[string][]*html.Node{"script-src": runs, "style-src": elements(root, "style")} {
		if len(n) != 1 {
			t.Fatalf("%d elements for %s", len(n), directive)
		}
		sum := sha256.Sum256([]byte(text(n[0])))
		if want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want+";") {
			t.Errorf("the policy %q lacks %s", policy, want)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

func TestNothingIsAskedForFromOutside(t *testing.T) {
	file, _ := write(t, "a run", page.Archive{"": json.RawMessage(`{}`)})
	outside := regexp.MustCompile(`(?i)(src|href|action)\s*=\s*["']?(https?:)?//|url\(\s*["']?(https?:)?//|@import`)
	style, err := fs.ReadFile(page.Assets(), page.StyleName)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"file": file, "index": string(page.Index()), "style": string(style)} {
		if at := outside.FindString(text); at != "" {
			t.Errorf("%s: %q", name, at)
		}
	}
	index, err := html.Parse(bytes.NewReader(page.Index()))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range elements(index, "script") {
		if attribute(s, "src") != page.ScriptName || text(s) != "" {
			t.Errorf("the served page holds a script of its own: %q", text(s))
		}
	}
	if n := len(elements(index, "style")); n != 0 {
		t.Errorf("the served page holds %d styles", n)
	}
	for n := range index.Descendants() {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("the served page has an attribute %s", a.Key)
			}
		}
	}
}

func TestArchiveWithoutARunIsRefused(t *testing.T) {
	for name, a := range map[string]page.Archive{
		"empty": {}, "no run": {"trace": json.RawMessage(`{}`)}, "not JSON": {"": json.RawMessage(`{`)},
		"markup": {"": json.RawMessage(`{}`), "x": json.RawMessage(`</script>`)},
	} {
		if err := page.WriteFile(io.Discard, "", a); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// A file of much code packs as well as gzip packs: nothing of it lies there twice.
func TestFileIsSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var code []byte
	for len(code) < 300<<10 {
		code = fmt.Appendf(code, "func f%d(a int) int { return a + %d }\n", r.IntN(1000), r.IntN(1000))
	}
	empty, _ := write(t, "", page.Archive{"": json.RawMessage(`{}`)})
	full, _ := write(t, "", page.Archive{"": json.RawMessage(`{}`), "file/a.go": asJSON(t, string(code))})
	if more := len(full) - len(empty); more > len(code)/3 {
		t.Errorf("%d bytes of code take %d", len(code), more)
	}
}

func FuzzFile(f *testing.F) {
	f.Add("run", hostile, hostile)
	f.Add("</title><script>", "</style>", "--><svg onload=x>")
	f.Fuzz(func(t *testing.T, title, path, value string) {
		if path == "" {
			path = "x"
		}
		_, root := write(t, title, page.Archive{"": asJSON(t, map[string]string{value: value}), path: asJSON(t, strings.Repeat(value, 20))})
		var kinds []string
		for _, s := range elements(root, "script") {
			kinds = append(kinds, attribute(s, "type"))
		}
		if got := strings.Join(kinds, ","); got != "application/json," && got != "application/json,text/plain," {
			t.Errorf("scripts: %q", got)
		}
		if n := len(elements(root, "style")) + len(elements(root, "title")) + len(elements(root, "div")); n != 3 {
			t.Errorf("%d elements of style, title and div", n)
		}
	})
}
