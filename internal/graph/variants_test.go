package graph

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// stores is a family of classes, each with names of its own in every case style and its methods in another order.
func stores() map[string]string {
	files := map[string]string{}
	for i, name := range []string{"order", "customer", "parcel_route", "depot", "box", "delivery"} {
		words := strings.Split(name, "_")
		title := ""
		for _, w := range words {
			title += strings.ToUpper(w[:1]) + w[1:]
		}
		plural := strings.Join(words, " ") + "s"
		switch name {
		case "box":
			plural = "boxes"
		case "delivery":
			plural = "deliveries"
		}
		field := []string{"title", "label", "remark"}[i%3]
		spoken := strings.Join(words, " ")
		methods := []string{
			fmt.Sprintf("    def add(self, %[1]s):\n        \"\"\"Take in one %[2]s.\"\"\"\n        if not %[1]s.%[3]s:\n"+
				"            raise ValueError(\"no %[2]s\")\n        with self._lock:\n            self._%[1]ss[%[1]s.%[3]s] = %[1]s\n"+
				"            self._changed += 1\n", name, spoken, field),
			fmt.Sprintf("    def latest(self):\n        \"\"\"All %s, the newest first.\"\"\"\n        with self._lock:\n"+
				"            found = list(self._%ss.values())\n        return sorted(found, key=lambda one: one.at, reverse=True)\n", plural, name),
			fmt.Sprintf("    def topic(self):\n        return \"%s\" + SUFFIX\n", strings.Join(words, "-")),
		}
		for range i % 3 {
			methods = append(methods[1:], methods[0])
		}
		files["store/"+name+"_store.py"] = fmt.Sprintf("import threading\nfrom store import %[1]s\n\nLIMIT = %[3]d\n\n\nclass %[1]sStore:\n"+
			"    def __init__(self):\n        self._lock = threading.Lock()\n        self._%[2]ss = {}\n        self._changed = 0\n\n%[4]s",
			title, name, 100*i, strings.Join(methods, "\n"))
	}
	return files
}

func TestFamiliesThatAgree(t *testing.T) {
	for name, files := range map[string]map[string]string{"stores": stores(), "codecs": codecs()} {
		delete(files, "codec/depot.go") // the one that departs
		list := build(t, files).Variants(nil)
		if len(list) != 1 || len(list[0].Files) != len(files) || !strings.HasSuffix(list[0].String(), "\n  none departs alone") {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// Each change of one file, or of a few, is shown as what it is; all else is not.
func TestDepartures(t *testing.T) {
	all := slices.Sorted(maps.Keys(stores()))
	for name, c := range map[string]struct {
		old, new string
		in       []string // files; by default the fourth
		want     string
	}{
		"comparison": {old: "reverse=True", new: "reverse=False", want: `
  @Store.latest, 1 of 6: store/depot_store.py:25 "All depots, the newest first."
    - box_store.py:17 return sorted(found, key=lambda one: one.at, reverse=True)
    + 25 return sorted(found, key=lambda one: one.at, reverse=False)`},
		"two files": {old: ", reverse=True", in: []string{all[1], all[3]}, want: `
  @Store.latest, 2 of 6: store/customer_store.py:17 store/depot_store.py:25 "All customers, the newest first."
    - box_store.py:17 return sorted(found, key=lambda one: one.at, reverse=True)
    + 17 return sorted(found, key=lambda one: one.at)`},
		"indentation": {old: "            self._changed += 1", new: "        self._changed += 1", want: `
  @Store.add, 1 of 6: store/depot_store.py:19 "Take in one depot."
    - box_store.py:28     self._changed += 1
    + 19 self._changed += 1`},
		"another's name": {old: `"depot"`, new: `"order"`, want: `
  @Store.topic, 1 of 6: store/depot_store.py:28
    - box_store.py:20 return "box" + SUFFIX
    + 28 return "order" + SUFFIX`},
		"lines that are not there": {old: "        if not depot.title:\n            raise ValueError(\"no depot\")\n", want: `
  @Store.add, 1 of 6: store/depot_store.py:15 "Take in one depot."
    - box_store.py:24 if not box.label:
    - box_store.py:25     raise ValueError("no box")`},
		"promise": {old: "the newest first", new: "the oldest first", want: `
  @Store.latest, 1 of 6: store/depot_store.py:21 is the only one that says "All depots, the oldest first." where others say ` +
			`"All boxes, the newest first."`},
		"code and promise": {old: "the newest first.\"\"\"", new: "the oldest first.\"\"\"\n        self._changed = 0", want: `
  @Store.latest, 1 of 6: store/depot_store.py:23 "All depots, the oldest first." where others say "All boxes, the newest first."
    + 23 self._changed = 0`},
		"outside of functions": {old: "import threading\n", want: `
  outside of functions, 1 of 6: store/depot_store.py
    - box_store.py:1 import threading`},
		"function that is not there": {old: "    def topic(self):\n        return \"depot\" + SUFFIX\n", want: `
  none departs alone
  @Store.topic: not in 1 of 6 files, store/depot_store.py`},
		"no majority": {old: "self._changed += 1", new: "self._changed -= 1", in: all[:3], want: `
  none departs alone
  @Store.add: varies over 6 files, as in box_store.py:28`},
	} {
		t.Run(name, func(t *testing.T) {
			files := stores()
			if c.in == nil {
				c.in = []string{"store/depot_store.py"}
			}
			for _, path := range c.in {
				text := strings.Replace(files[path], c.old, c.new, 1)
				if text == files[path] {
					t.Fatalf("%s does not hold %q", path, c.old)
				}
				files[path] = text
			}
			want := "6 files: store/{box,customer,delivery,depot,order,parcel_route}_store.py" + c.want
			list := build(t, files).Variants(nil)
			if len(list) != 1 || list[0].String() != want {
				t.Errorf("variants: %v\nwant %s", list, want)
			}
		})
	}
}

// What one file does alone stands before what two do; of a function in which many depart not all is told.
func TestOrder(t *testing.T) {
	files := stores()
	change := func(name, old, new string) {
		t.Helper()
		path := "store/" + name + "_store.py"
		if !strings.Contains(files[path], old) {
			t.Fatalf("%s does not hold %q", path, old)
		}
		files[path] = strings.Replace(files[path], old, new, 1)
	}
	change("box", "reverse=True", "reverse=False")
	change("order", "reverse=True", "reverse=False")
	change("customer", "newest first", "oldest first")
	change("box", "if not", "if")
	change("depot", "raise ValueError(", "return ValueError(")
	change("order", "self._changed += 1", "self._changed -= 1")
	change("customer", "with self._lock:\n            self", "with self:\n            self")
	list := build(t, files).Variants(nil)
	var got []string
	for _, e := range list[0].Exceptions {
		got = append(got, fmt.Sprint(e.Part, " ", e.files))
	}
	if want := []string{"@Store.add 1", "@Store.add 1", "@Store.add 1", "@Store.latest 1", "@Store.latest 2"}; !slices.Equal(got, want) {
		t.Errorf("exceptions: %v", list)
	}
	if u := list[0].Unsettled; len(u) != 1 || u[0].Part != "@Store.add" || len(u[0].Places) != 1 {
		t.Errorf("varying: %v", u)
	}
}

// However much departs, little is written.
func TestLittleIsWritten(t *testing.T) {
	files := stores()
	for path, text := range files {
		var b strings.Builder
		op := "+"
		if path == "store/depot_store.py" {
			op = "-"
		}
		for n := range 60 {
			fmt.Fprintf(&b, "\n    def more%d(self, a):\n        \"\"\"%s\"\"\"\n        return self.call(a %s %s)\n", n,
				strings.Repeat("Gives more. ", 30), op, strings.Repeat("a + ", 100)+"a")
		}
		files[path] = text + b.String()
	}
	list := build(t, files).Variants(nil)
	if len(list) != 1 || len(list[0].Exceptions) < 60 {
		t.Fatalf("%d families", len(list))
	}
	if n := len(list[0].String()); n > 6500 {
		t.Errorf("%d characters of %d exceptions", n, len(list[0].Exceptions))
	}
}

// Whatever files hold, and whatever they are called, what is said of them names lines that they have.
func FuzzVariants(f *testing.F) {
	parser := runtest.Parser(f)
	f.Add("store/depot_store.py", "class DepotStore:\n  def f(self):\n    return 1\n", "store/box_store.py",
		"class BoxStore:\n  def f(self):\n    return 2\n")
	f.Add("a.go", "def f():\n  'Doc.'\n  if x: pass\n  return (1,\n 2)\n", "/.go", "x\n\"\"\"")
	f.Fuzz(func(t *testing.T, one, first, two, second string) {
		if len(one)+len(first)+len(two)+len(second) > 2000 {
			return
		}
		code := codebase.FromMap(map[string]string{one: first, two: second, "c/" + one: first + second, "d.py": second + first})
		g := &Graph{code: code, byPath: map[string]int32{}}
		for i, path := range code.Paths() {
			text, _ := code.Text(path)
			tree, err := parser.Parse(t.Context(), "python", []byte(text))
			if err != nil {
				return
			}
			g.byPath[path] = int32(i)
			g.files = append(g.files, file{path: path, family: "python", facts: collect("python", tree)})
		}
		g.link()
		v := g.family(code.Paths())
		_ = v.String()
		for _, e := range v.Exceptions {
			for _, p := range e.Places {
				if info, ok := code.File(p.File); !ok || p.Line < 0 || p.EndLine < p.Line || p.EndLine > max(info.Lines, 1) {
					t.Fatalf("%v of %d lines", p, info.Lines)
				}
			}
		}
	})
}
