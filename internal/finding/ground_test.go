package finding

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// tree is a codebase held in a map.
type tree map[string]string

func (t tree) Text(p string) (string, bool) { s, ok := t[p]; return s, ok }
func (t tree) Paths() []string              { return slices.Sorted(maps.Keys(t)) }

const dbPy = `import sqlite3

def find(name):
    cur = connect()
    cur.execute("select * from users where name = '" + name + "'")
    return cur.fetchone()

def drop(name):
    cur = connect()
    cur.execute("delete from users where name = '" + name + "'")
    try:
        commit()
    except:
        pass
    key = "sk-live-0123456789abcdef"
`

func TestGround(t *testing.T) {
	src := tree{
		"app/db.py":   dbPy,
		"app/win.c":   "int main(void)\r\n{\r\n\tgets(buffer_of_user);\r\n}\r\n",
		"app/copy.py": "x = 1\nimportant_call(one, two)\n",
		"lib/copy.py": "y = 2\nimportant_call(one, two)\n",
		"min.js":      "a" + strings.Repeat(";var q=1", 4000) + ";document.write(location.hash)" + strings.Repeat(";var q=1", 4000),
		"empty.py":    "",
		"only.py":     "def unusual_name():\n    return secret_sauce",
	}
	all := src.Paths()
	type place struct {
		File      string
		Line, End int
	}
	tests := []struct {
		name       string
		f          Finding
		candidates []string
		want       place  // when grounded
		why        string // otherwise a part of it
	}{
		{"a line beyond all files", Finding{File: "app/db.py", Line: 1<<63 - 1, Evidence: "try\nfoo"}, nil, place{}, "too short"},
		{"exact", Finding{File: "app/db.py", Line: 6, Evidence: "    return cur.fetchone()"}, nil, place{"app/db.py", 6, 6}, ""},
		{"drifted line", Finding{File: "app/db.py", Line: 60, Evidence: "return cur.fetchone()"}, nil, place{"app/db.py", 6, 6}, ""},
		{"no line", Finding{File: "app/db.py", Evidence: "cur = connect()"}, nil, place{"app/db.py", 4, 4}, ""},
		{"nearest above", Finding{File: "app/db.py", Line: 5, Evidence: "cur = connect()"}, nil, place{"app/db.py", 4, 4}, ""},
		{"nearest below", Finding{File: "app/db.py", Line: 8, Evidence: "cur = connect()"}, nil, place{"app/db.py", 9, 9}, ""},
		{"other white space", Finding{File: "app/db.py", Line: 5, Evidence: "cur.execute( \"select * from users where name='\"+name +\"'\" )"}, nil, place{"app/db.py", 5, 5}, ""},
		{"several lines", Finding{File: "app/db.py", Line: 1, Evidence: "try:\n  commit()\n  except:\n    pass"}, nil, place{"app/db.py", 11, 14}, ""},
		{"several lines joined", Finding{File: "app/db.py", Line: 1, Evidence: "try: commit() except: pass"}, nil, place{"app/db.py", 11, 14}, ""},
		{"line numbers", Finding{File: "app/db.py", Line: 11, Evidence: "11 | try:\n12 |     commit()\n13 | except:"}, nil, place{"app/db.py", 11, 13}, ""},
		{"line numbers with colon", Finding{File: "app/db.py", Line: 5, Evidence: "5: cur.execute(\"select"}, nil, place{"app/db.py", 5, 5}, ""},
		{"diff marks", Finding{File: "app/db.py", Line: 9, Evidence: "+    cur = connect()\n+    cur.execute(\"delete"}, nil, place{"app/db.py", 9, 10}, ""},
		{"fenced", Finding{File: "app/db.py", Line: 6, Evidence: "```python\nreturn cur.fetchone()\n```"}, nil, place{"app/db.py", 6, 6}, ""},
		{"cut off", Finding{File: "app/db.py", Line: 6, Evidence: "return cur.fetch..."}, nil, place{"app/db.py", 6, 6}, ""},
		{"lines left out", Finding{File: "app/db.py", Line: 8, Evidence: "def drop(name):\n    ...\n    key = \"sk-live-0123456789abcdef\""}, nil, place{"app/db.py", 15, 15}, ""},
		{"short but all of its line", Finding{File: "app/db.py", Line: 13, Evidence: "except:"}, nil, place{"app/db.py", 13, 13}, ""},
		{"short elsewhere", Finding{File: "app/db.py", Line: 12, Evidence: "except:"}, nil, place{}, "too short"},
		{"redacted", Finding{File: "app/db.py", Line: 15, Evidence: `key = "[REDACTED:api-key]"`}, nil, place{"app/db.py", 15, 15}, ""},
		{"redacted at another line", Finding{File: "app/db.py", Line: 14, Evidence: `key = "[REDACTED:api-key]"`}, nil, place{}, "too short"},
		{"redacted but not all of the line", Finding{File: "app/db.py", Line: 15, Evidence: `ey = "[REDACTED:api-key]`}, nil, place{}, "too short"},
		{"redacted with enough beside", Finding{File: "app/db.py", Line: 1, Evidence: "pass\n    key = \"[REDACTED:api-key]\""}, nil, place{"app/db.py", 14, 15}, ""},
		{"only redacted", Finding{File: "app/db.py", Line: 15, Evidence: "[REDACTED:api-key]"}, nil, place{}, "quotes no code"},
		{"redaction stays on its line", Finding{File: "app/db.py", Line: 4, Evidence: "cur = [REDACTED:x] fetchone()"}, nil, place{}, "does not stand"},
		{"carriage returns", Finding{File: "app/win.c", Line: 3, Evidence: "gets(buffer_of_user);\n}"}, nil, place{"app/win.c", 3, 4}, ""},
		{"absolute path", Finding{File: "/home/me/repo/app/db.py", Line: 6, Evidence: "return cur.fetchone()"}, nil, place{"app/db.py", 6, 6}, ""},
		{"diff path", Finding{File: "b/app/db.py", Line: 6, Evidence: "return cur.fetchone()"}, nil, place{"app/db.py", 6, 6}, ""},
		{"tail of a path", Finding{File: "db.py", Line: 6, Evidence: "return cur.fetchone()"}, nil, place{"app/db.py", 6, 6}, ""},
		{"back slashes", Finding{File: `.\app\db.py`, Line: 6, Evidence: "return cur.fetchone()"}, nil, place{"app/db.py", 6, 6}, ""},
		{"moved to the file that has it", Finding{File: "app/db.py", Line: 6, Evidence: "return secret_sauce"}, all, place{"only.py", 2, 2}, ""},
		{"not moved outside the prompt", Finding{File: "app/db.py", Line: 6, Evidence: "return secret_sauce"}, []string{"min.js"}, place{}, "does not stand in that file"},
		{"no file", Finding{Line: 2, Evidence: "return secret_sauce"}, all, place{"only.py", 2, 2}, ""},
		{"no such file", Finding{File: "gone.py", Line: 2, Evidence: "return secret_sauce"}, all, place{"only.py", 2, 2}, ""},
		{"in two files", Finding{File: "gone.py", Line: 2, Evidence: "important_call(one, two)"}, all, place{}, "stands in 2 files"},
		{"two files of one name", Finding{File: "copy.py", Line: 2, Evidence: "important_call(one, two)"}, nil, place{}, "stands in 2 files"},
		{"one of two in the prompt", Finding{File: "copy.py", Line: 2, Evidence: "important_call(one, two)"}, []string{"lib/copy.py"}, place{"lib/copy.py", 2, 2}, ""},
		{"invented", Finding{File: "app/db.py", Line: 2, Evidence: "os.system(user_input)"}, all, place{}, "does not stand"},
		{"invented file", Finding{File: "gone.py", Line: 2, Evidence: "os.system(user_input)"}, all, place{}, `no file "gone.py"`},
		{"empty quote", Finding{File: "app/db.py", Line: 2}, all, place{}, "quotes no code"},
		{"brackets only", Finding{File: "app/win.c", Line: 2, Evidence: "{{}}(((())))"}, all, place{}, "too short"},
		{"empty file", Finding{File: "empty.py", Line: 1, Evidence: "anything at all"}, nil, place{}, "does not stand"},
		{"path out of the tree", Finding{File: "../../etc/passwd", Line: 1, Evidence: "root:x:0:0:root"}, all, place{}, "no file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.f.Title = "t"
			good, bad := Ground(src, []Finding{tt.f}, tt.candidates)
			if tt.why != "" {
				if len(bad) != 1 || !strings.Contains(bad[0].Why, tt.why) || bad[0].Grounded {
					t.Fatalf("want ungrounded because %q, got %v %+v", tt.why, good, bad)
				}
				if bad[0].Evidence != tt.f.Evidence {
					t.Error("the claim of an ungrounded finding was changed")
				}
				return
			}
			if len(good) != 1 {
				t.Fatalf("ungrounded: %s", bad[0].Why)
			}
			g := good[0]
			if diff := cmp.Diff(tt.want, place{g.File, g.Line, g.EndLine}); diff != "" {
				t.Error(diff)
			}
			if stands, ok := Quote(src[g.File], g.Line, g.EndLine); !ok || stands != g.Evidence {
				t.Errorf("evidence %q, but %q stands there", g.Evidence, stands)
			}
		})
	}
}

func TestGroundMinifiedLine(t *testing.T) {
	text := "a" + strings.Repeat(";var q=1", 4000) + ";document.write(location.hash)" + strings.Repeat(";var q=1", 4000)
	good, _ := Ground(tree{"min.js": text}, []Finding{{Title: "t", File: "min.js", Line: 1, Evidence: "document.write(location.hash)"}}, nil)
	if len(good) != 1 || !strings.Contains(good[0].Evidence, "document.write(location.hash)") ||
		!strings.Contains(text, good[0].Evidence) || len(good[0].Evidence) > maxTextBytes {
		t.Fatalf("%d findings", len(good))
	}
}

// TestGroundedEvidenceStands holds the invariant over random trees and claims: whatever was claimed, a grounded finding
// quotes exactly what stands at its lines.
func TestGroundedEvidenceStands(t *testing.T) {
	grounded := 0
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.SampledFrom([]string{"", "{", "  foo(bar, baz)", "\tif x == nil {", "return err // ünïcode", "pass", "}\r",
			"key = \"abc\"", "x\u2028y = unusual", "\xff\xfebroken bytes"})
		src := tree{}
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			src[fmt.Sprintf("d%d/f.py", i)] = strings.Join(rapid.SliceOfN(line, 0, 20).Draw(t, "lines"), "\n")
		}
		paths := src.Paths()
		var claims []Finding
		for range rapid.IntRange(1, 6).Draw(t, "claims") {
			p := rapid.SampledFrom(append(paths, "", "f.py", "gone.py")).Draw(t, "file")
			ls := strings.Split(src[rapid.SampledFrom(paths).Draw(t, "from")], "\n")
			i := rapid.IntRange(0, len(ls)-1).Draw(t, "i")
			j := rapid.IntRange(i, min(len(ls)-1, i+5)).Draw(t, "j")
			ev := strings.Join(ls[i:j+1], rapid.SampledFrom([]string{"\n", "\n  ", " ", "\n12: "}).Draw(t, "sep"))
			claims = append(claims, Finding{Title: "t", File: p, Line: rapid.IntRange(0, 25).Draw(t, "line"), Evidence: ev})
		}
		good, bad := Ground(src, claims, rapid.SliceOf(rapid.SampledFrom(paths)).Draw(t, "candidates"))
		if len(good)+len(bad) != len(claims) {
			t.Fatalf("%d + %d of %d", len(good), len(bad), len(claims))
		}
		grounded += len(good)
		for _, g := range append(good, Merge(good)...) {
			stands, ok := Quote(src[g.File], g.Line, g.EndLine)
			if !ok || stands != g.Evidence || !g.Grounded {
				t.Fatalf("%v: quotes %q, but %q stands there", g, g.Evidence, stands)
			}
		}
		for _, b := range bad {
			if b.Why == "" || b.Grounded {
				t.Fatalf("ungrounded without why: %+v", b)
			}
		}
	})
	if grounded == 0 {
		t.Error("nothing was ever grounded: the test tests nothing")
	}
}

func TestQuote(t *testing.T) {
	text := "a\r\nb\n\nd"
	for _, tt := range []struct {
		line, end int
		want      string
		ok        bool
	}{
		{1, 1, "a", true}, {1, 2, "a\r\nb", true}, {3, 3, "", true}, {4, 4, "d", true}, {1, 4, text, true},
		{0, 1, "", false}, {2, 1, "", false}, {5, 5, "", false}, {4, 5, "", false},
	} {
		got, ok := Quote(text, tt.line, tt.end)
		if got != tt.want || ok != tt.ok {
			t.Errorf("Quote(%d, %d) = %q, %v", tt.line, tt.end, got, ok)
		}
	}
}

func FuzzGround(f *testing.F) {
	f.Add(dbPy, "app/db.py", 5, "cur.execute(\"select")
	f.Add("x\r\n\xff\xff", "b/../f", -1, "12 | [REDACTED:k]x\n...\n`")
	f.Add("aaaaaaaaaaaaaaaaaaaaaaaa", "f", 1, "aaaaaaaa[REDACTED:k]aaaaaaaa[REDACTED:k]")
	f.Fuzz(func(t *testing.T, text, file string, line int, evidence string) {
		src := tree{"dir/f": text}
		good, _ := Ground(src, []Finding{{Title: "t", File: file, Line: line, Evidence: evidence}}, []string{"dir/f"})
		for _, g := range good {
			stands, ok := Quote(text, g.Line, g.EndLine)
			if !ok || stands != g.Evidence && !(len(stands) > maxTextBytes && strings.Contains(stands, g.Evidence)) {
				t.Fatalf("%q is not what stands at %d-%d: %q", g.Evidence, g.Line, g.EndLine, stands)
			}
		}
	})
}

func BenchmarkGround(b *testing.B) {
	src := tree{}
	var fs []Finding
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		var text strings.Builder
		for n := range 200 {
			fmt.Fprintf(&text, "    value_%d = compute(%d, %d)\n", n, i, n)
		}
		p := fmt.Sprintf("pkg%d/file%d.py", i%20, i)
		src[p] = text.String()
		n := rnd.IntN(200)
		fs = append(fs, Finding{Title: "t", File: p, Line: n, Evidence: fmt.Sprintf("value_%d = compute(%d, %d)", n, i, n)})
	}
	for b.Loop() {
		if good, _ := Ground(src, fs, nil); len(good) != len(fs) {
			b.Fatal("not all grounded")
		}
	}
}
