package java

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/google/go-cmp/cmp"
)

func mustGrow(t testing.TB, template grow.Template, seed int64, files int) map[string]string {
	t.Helper()
	_, texts, err := grow.Grow(template, seed, files)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func TestTemplatesGrowAnySize(t *testing.T) {
	for _, template := range Templates() {
		for _, n := range []int{7, 8, 9, 12, 17, 25, 26, 40, 63, 100, 333, 3000} {
			texts := mustGrow(t, template, int64(n), n)
			if _, ok := texts["README.md"]; !ok {
				t.Errorf("%s of %d files has no README.md", template.Name, n)
			}
			if !slices.ContainsFunc(slices.Collect(maps.Keys(texts)), func(p string) bool { return strings.HasSuffix(p, "Test.java") }) {
				t.Errorf("%s of %d files has no test", template.Name, n)
			}
			if n > 100 {
				continue
			}
			if diff := cmp.Diff(texts, mustGrow(t, template, int64(n), n)); diff != "" {
				t.Errorf("%s grows differently a second time: %s", template.Name, diff)
			}
		}
	}
}

func TestSeedsGiveDifferentProjects(t *testing.T) {
	for _, template := range Templates() {
		a, b := mustGrow(t, template, 1, 30), mustGrow(t, template, 2, 30)
		same := 0
		for name, text := range a {
			if b[name] == text {
				same++
			}
		}
		if same > 3 {
			t.Errorf("%s: %d of 30 files are the same for two seeds", template.Name, same)
		}
	}
}

// words that a Java file may use without an import.
const known = " " +
	"Override String Long Integer Double Boolean Math Object Iterable Runnable Thread Process ProcessBuilder StringBuilder System " +
	"AutoCloseable Comparable FunctionalInterface SuppressWarnings SafeVarargs Exception RuntimeException IllegalArgumentException " +
	"IllegalStateException SecurityException ArithmeticException NumberFormatException InterruptedException " +
	"UnsupportedOperationException ClassNotFoundException ClassCastException IndexOutOfBoundsException Character Throwable Void "

// TestFilesHoldTogether checks that files parse and that every class that they name is there: in the file, in their
// package, imported, or in java.lang.
func TestFilesHoldTogether(t *testing.T) {
	parser := runtest.Parser(t)
	for _, template := range Templates() {
		for _, n := range []int{7, 11, 15, 19, 25, 31, 60} {
			texts := mustGrow(t, template, int64(n), n)
			inPackage := map[string]bool{}
			for name := range texts {
				inPackage[strings.TrimSuffix(strings.NewReplacer("src/main/java/", "", "src/test/java/", "").Replace(name), ".java")] = true
			}
			for name, text := range texts {
				if !strings.HasSuffix(name, ".java") {
					continue
				}
				tree, err := parser.Parse(t.Context(), "java", []byte(text))
				if err != nil || tree.HasError() {
					t.Errorf("%s: %s does not parse: %v\n%s", template.Name, name, err, text)
					continue
				}
				for _, problem := range unresolved(tree.Root(), inPackage) {
					t.Errorf("%s of %d files: %s: %s", template.Name, n, name, problem)
				}
				if lines := strings.Count(text, "\n"); lines < 12 || lines > 175 {
					t.Errorf("%s: %s has %d lines", template.Name, name, lines)
				}
				if left.MatchString(text) {
					t.Errorf("%s: %s holds a name that was not filled in:\n%s", template.Name, name, text)
				}
				if strings.Contains(text, "\n\n\n") {
					t.Errorf("%s: %s has odd white space", template.Name, name)
				}
			}
		}
	}
}

// unresolved lists the classes that a file names and nobody declares, and the imports that it does not use.
func unresolved(root syntax.Node, inProject map[string]bool) []string {
	var problems []string
	pkg := ""
	have, used := map[string]bool{}, map[string]bool{}
	var imports []string
	for n := range root.Find("package_declaration", "import_declaration", "class_declaration", "record_declaration",
		"interface_declaration", "enum_declaration", "type_parameter", "enum_constant") {
		switch n.Kind() {
		case "package_declaration":
			pkg = strings.ReplaceAll(n.NamedChild(0).Text(), ".", "/")
		case "import_declaration":
			full := n.NamedChild(0).Text()
			imports = append(imports, full)
			have[full[strings.LastIndexByte(full, '.')+1:]] = true
			if file := strings.ReplaceAll(full, ".", "/"); !strings.HasPrefix(full, "java") && !strings.HasPrefix(full, "org.") && !inProject[file] {
				problems = append(problems, "imports "+full+", which is not there")
			}
		case "type_parameter", "enum_constant":
			have[n.NamedChild(0).Text()] = true
		default:
			have[n.ChildByField("name").Text()] = true
		}
	}
	upper := regexp.MustCompile(`^[A-Z][A-Za-z]*[a-z][A-Za-z0-9]*$|^[TVKERU]$|^[A-Z]{3,4}$`)
	for n := range root.Find("type_identifier", "identifier") {
		name := n.Text()
		used[name] = true
		if n.Enclosing("import_declaration", "package_declaration").Valid() || !upper.MatchString(name) ||
			n.Field() == "field" || n.Field() == "name" || n.PrevSibling().Kind() == "." ||
			n.Parent().Kind() == "scoped_type_identifier" || have[name] || strings.Contains(known, " "+name+" ") || inProject[pkg+"/"+name] {
			continue
		}
		if parent := n.Parent().Kind(); n.Kind() == "identifier" &&
			(parent != "method_invocation" && parent != "field_access" || strings.ToUpper(name) == name) {
			continue // a constant
		}
		problems = append(problems, "does not know "+name)
	}
	for _, full := range imports {
		if !used[full[strings.LastIndexByte(full, '.')+1:]] {
			problems = append(problems, "imports "+full+" for nothing")
		}
	}
	return problems
}

// common are the beginnings of lines that all projects have.
var common = regexp.MustCompile(`^(import |package |private static final Logger)`)

// TestSplitsShareNoText looks for lines of some length that held-out projects have in common with training ones.
func TestSplitsShareNoText(t *testing.T) {
	lines := map[string]map[string]string{env.Train: {}, env.Heldout: {}}
	for _, template := range Templates() {
		for seed := range int64(4) {
			for name, text := range mustGrow(t, template, seed, 60) {
				if !strings.HasSuffix(name, ".java") {
					continue
				}
				for line := range strings.Lines(text) {
					line = strings.TrimSpace(line)
					if len(line) > 40 && !common.MatchString(line) {
						lines[template.Split][line] = template.Name + " " + path.Base(name)
					}
				}
			}
		}
	}
	for line, where := range lines[env.Heldout] {
		if other, ok := lines[env.Train][line]; ok {
			t.Errorf("%s and %s share: %s", where, other, line)
		}
	}
}

func BenchmarkGrow(b *testing.B) {
	for _, template := range Templates() {
		b.Run(strings.TrimPrefix(template.Name, "java/"), func(b *testing.B) {
			for b.Loop() {
				mustGrow(b, template, 1, 1000)
			}
		})
	}
}
