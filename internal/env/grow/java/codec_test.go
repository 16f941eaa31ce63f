package java

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"pgregory.net/rapid"
)

var codecMarks = regexp.MustCompile(`with an? (.) between them|Pattern\.quote\("(.)"\)|StringJoiner\("(.)"\)|` +
	`\.replace\("(.)", "%XX"\)|\.replace\("%XX", "(.)"\)`)

// codecs are the separators of every codec of a project, by file: each place where one stands.
func codecs(t *testing.T, templates []grow.Template, seed int64) map[string][]string {
	marks := map[string][]string{}
	for _, template := range templates {
		if template.Name != "java/event-relay" {
			continue
		}
		for path, text := range mustGrow(t, template, seed, 120) {
			if !strings.HasSuffix(path, "Codec.java") {
				continue
			}
			for _, m := range codecMarks.FindAllStringSubmatch(text, -1) {
				marks[path] = append(marks[path], strings.Join(m[1:], ""))
			}
		}
	}
	return marks
}

// TestCodecsReadWhatTheyWrite: a codec has one separator, in its comment and in all of its members. Those of the first
// version of the environment had not, and must keep their texts.
func TestCodecsReadWhatTheyWrite(t *testing.T) {
	used, files, odd := map[string]bool{}, 0, 0
	for seed := range int64(6) {
		for path, marks := range codecs(t, Templates(), seed) {
			files++
			if len(marks) != 5 {
				t.Errorf("seed %d, %s: separators at %d places, want 5: %q", seed, path, len(marks), marks)
				continue
			}
			used[marks[0]] = true
			for _, m := range marks {
				if m != marks[0] {
					t.Errorf("seed %d, %s has several separators: %q", seed, path, marks)
				}
			}
		}
		for _, marks := range codecs(t, Unsettled(), seed) {
			if strings.Count(strings.Join(marks, ""), marks[0]) != len(marks) {
				odd++
			}
		}
	}
	if files < 20 || len(used) != 3 || odd < files/2 {
		t.Errorf("%d codecs with the separators %v; of the unsettled ones %d have several", files, used, odd)
	}
}

// encode and decode are those of the template, in Go: what is said of them holds for it as long as its members read so.
func encode(mark string, names []string, values map[string]string) string {
	var pairs []string
	for _, name := range names {
		if value, ok := values[name]; ok {
			pairs = append(pairs, name+"="+strings.ReplaceAll(strings.ReplaceAll(value, "%", "%25"), mark, "%XX"))
		}
	}
	return strings.Join(pairs, mark)
}

func decode(mark, line string) (map[string]string, error) {
	values := map[string]string{}
	for _, pair := range strings.Split(line, mark) {
		sign := strings.IndexByte(pair, '=')
		if sign < 1 {
			return nil, fmt.Errorf("no value in %s", pair)
		}
		values[pair[:sign]] = strings.ReplaceAll(strings.ReplaceAll(pair[sign+1:], "%XX", mark), "%25", "%")
	}
	return values, nil
}

func TestRoundTripOfCodecs(t *testing.T) {
	text := mustCodec(t)
	for _, line := range []string{
		`for (var pair : line.split(Pattern.quote("`, `int sign = pair.indexOf('=');`, `if (sign < 1) {`,
		`values.put(pair.substring(0, sign), plain(pair.substring(sign + 1)));`,
		`values.forEach((name, value) -> line.add(name + "=" + value.replace("%", "%25").replace("`, `return value.replace("%XX", "`,
		`").replace("%25", "%");`,
	} {
		if !strings.Contains(text, line) {
			t.Fatalf("the template does not read %s: the proof below is of another one", line)
		}
	}
	names := []string{"label", "amount_cents", "note"}
	rapid.Check(t, func(t *rapid.T) {
		mark := rapid.SampledFrom([]string{";", "|", "&"}).Draw(t, "mark")
		values := map[string]string{}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 3, rapid.ID[string]).Draw(t, "names") {
			values[name] = rapid.StringMatching(`[%X25;|&=a\n]{0,12}`).Draw(t, name)
		}
		line := encode(mark, names, values)
		got, err := decode(mark, line)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(values) {
			t.Fatalf("%q reads as %q (%v), was %q", line, got, err, values)
		}
	})
}

func mustCodec(t *testing.T) string {
	for _, template := range Templates() {
		if template.Name == "java/event-relay" {
			for path, text := range mustGrow(t, template, 1, 40) {
				if strings.HasSuffix(path, "Codec.java") {
					return text
				}
			}
		}
	}
	t.Fatal("there is no codec")
	return ""
}
