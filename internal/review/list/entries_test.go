package list

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	got, err := Parse(strings.NewReader("# all of ours\n../app\n\n  /srv/APP/ \nhttps://host.example/x/app.git v1.2\r\n" +
		"git@host.example:y.git\n"))
	want := []Entry{{"app", "../app", ""}, {"APP-2", "/srv/APP/", ""}, {"app-3", "https://host.example/x/app.git", "v1.2"},
		{"y", "git@host.example:y.git", ""}}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for text, says := range map[string]string{
		"a\nb c d\n":                           "line 2 has more than",
		"# nothing\n":                          "names no repository",
		"ext::sh -c\n":                         "line 1: ",
		"a\next::sh":                           "line 2: \"ext::sh\" is no address",
		"-x@host.example:y":                    "is no address",
		"git@-x.example:y":                     "is no address",
		"git@host.example:-x":                  "is no address",
		"ssh://-x@host.example/y":              "is no address",
		"file://host.example/x":                "is no address",
		"ssh://me:secret@host.example/x":       "line 1: an address holds credentials",
		"gopher://me:secret@host.example/x":    "line 1: an address with credentials",
		"https://me:se%ret@host.example/x":     "line 1: an address cannot be read",
		"https://host.example/x --upload-pack": "is no commit",
		"a\nhttps://me:secret@host.example/x":  "line 2: an address holds credentials",
		"ftp://host.example/x":                 "is no address",
		"https:///x":                           "is no address",
		"ssh://-oProxyCommand=x/y":             "is no address",
		"a main..other":                        "is no commit",
		strings.Repeat("x", maxLine+1):         "line 1 has more than 4096 bytes",
		strings.Repeat("x\n", mostEntries+1):   "more than",
	} {
		_, err := Parse(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%.40q: %v", text, err)
		} else if strings.HasPrefix(says, "is no") && hint.Of(err) == "" {
			t.Errorf("%.40q: no hint", text)
		}
	}
}

// What stands for a directory has its name.
func TestDirectoriesAreNamed(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("app/inner", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir("app/inner")
	got, err := Parse(strings.NewReader(".\n..\n../.git\n"))
	if err != nil || got[0].Name != "inner" || got[1].Name != "app" || got[2].Name != "app-2" {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzParse: names are unique directories, and nothing of an entry is an option of git.
func FuzzParse(f *testing.F) {
	f.Add("a\n../a b\nhttps://x/y.git z\n")
	f.Add("-x\nfile:///-y -z\n.\n..\n/\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, e := range entries {
			name := strings.ToLower(e.Name)
			if seen[name] || !filepath.IsLocal(e.Name) || filepath.Base(e.Name) != e.Name || e.Name == "." {
				t.Errorf("%q names %q", e.Source, e.Name)
			}
			if seen[name] = true; strings.HasPrefix(e.Ref, "-") || e.check() != nil {
				t.Errorf("%+v", e)
			}
		}
	})
}
