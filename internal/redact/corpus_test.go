package redact

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// example is a case of the corpus: a text, and which parts of it are secrets.
type example struct {
	format, file string
	text         string
	secrets      []string
	rest         []string // what stands around the secrets
}

// readCorpus reads testdata/corpus: an archive a format, a file a case. The secrets stand between « and ». {{kind:length}} is replaced
// by random characters, the same in every run for a draw, so that no text that looks like a live token lies in the repository.
func readCorpus(t testing.TB, draw uint64) []example {
	t.Helper()
	names, err := filepath.Glob("testdata/corpus/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	var all []example
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range archive.Files {
			e := example{format: strings.TrimSuffix(filepath.Base(name), ".txtar"), file: f.Name}
			text := fill(string(f.Data), rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(e.format)))+draw, uint64(i))))
			for text != "" {
				before, after, found := strings.Cut(text, "«")
				e.rest = append(e.rest, before)
				e.text += before
				if !found {
					break
				}
				secret, rest, ok := strings.Cut(after, "»")
				if !ok {
					t.Fatalf("%s: %s: no » after «", name, f.Name)
				}
				e.secrets, e.text, text = append(e.secrets, secret), e.text+secret, rest
			}
			all = append(all, e)
		}
	}
	return all
}

var blanksToFill = regexp.MustCompile(`\{\{([a-z][a-z0-9]*)(?::(\d+))?\}\}`)

var alphabets = map[string]string{
	"hex": hex, "hexup": "0123456789ABCDEF", "b62": alnum, "b64": alnum + "+/", "up": upper, "dig": "123456789", "bech": bech32,
	"low": "abcdefghijklmnopqrstuvwxyz0123456789", "pw": alnum + "!@#%^*_", "pw2": alnum + "!*_",
}

// people are passwords that people choose.
var people = []string{"Tulip-Harbour7", "m0nkeyW1sh", "Sommer#2019", "rainyday42", "Kl3ister!", "blue.Whale88", "gr33nTea",
	"n1ghtOwl_x", "Zebra99!", "p1neapple"}

var plainWords = []string{"sunflower", "thunderbolt", "marmalade", "kingfisher", "bumblebee"}

// fill replaces the blanks of a text.
func fill(text string, rng *rand.Rand) string {
	pick := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[rng.IntN(len(alphabet))]
		}
		return string(b)
	}
	pem := func(newline string) string {
		const label = "PRIVATE KEY-----"
		return "-----BEGIN " + label + newline + pick(alphabets["b64"], 64) + newline + pick(alphabets["b64"],
			63) + "=" + newline + "-----END " + label
	}
	return blanksToFill.ReplaceAllStringFunc(text, func(blank string) string {
		m := blanksToFill.FindStringSubmatch(blank)
		n, _ := strconv.Atoi(m[2])
		switch m[1] {
		case "human":
			return people[rng.IntN(len(people))]
		case "word":
			return plainWords[rng.IntN(len(plainWords))]
		case "uuid":
			return fmt.Sprintf("%s-%s-4%s-a%s-%s", pick(hex, 8), pick(hex, 4), pick(hex, 3), pick(hex, 3), pick(hex, 12))
		case "basic":
			return base64.StdEncoding.EncodeToString([]byte("bob:" + pick(alnum, 12)))
		case "pem":
			return pem("\n")
		case "pemjson":
			return pem(`\n`)
		case "pem64":
			return base64.StdEncoding.EncodeToString([]byte(pem("\n") + "\n"))
		case "pw", "pw2": // all kinds of characters, as generators make them
			return pick("abcdefghjkmn", 1) + pick(alphabets[m[1]], n-3) + pick("23456789", 1) + pick("QRSTUVW", 1)
		}
		if alphabets[m[1]] == "" {
			return blank // a template's own
		}
		return pick(alphabets[m[1]], n)
	})
}

// floors of the corpus. README.md and SECURITY.md quote what the test prints.
const (
	leastCases, leastNegative = 300, 120
	leastRecall               = 0.97
	leastFormatRecall         = 0.85
	mostFalse                 = 0.002
	draws                     = 5 // of the random characters
)

func TestCorpus(t *testing.T) {
	type tally struct{ cases, secrets, found, clean, spoilt int }
	var all tally
	formats := map[string]*tally{}
	var order []string
	r := New()
	var examples []example
	for draw := range draws {
		examples = append(examples, readCorpus(t, uint64(draw))...)
	}
	for i, e := range examples {
		first := i < len(examples)/draws
		f := formats[e.format]
		if f == nil {
			f = &tally{}
			formats[e.format], order = f, append(order, e.format)
		}
		got, _ := r.RedactFile(e.file, e.text)
		if e.file == "-" {
			got, _ = r.Redact(e.text)
		}
		if first {
			f.cases++
		}
		f.secrets += len(e.secrets)
		for _, s := range e.secrets {
			if !strings.Contains(got, s) {
				f.found++
			} else if first {
				t.Logf("%s: %s: missed %q in %q", e.format, e.file, s, e.text)
			}
		}
		if len(e.secrets) == 0 && first {
			f.clean++
		}
		if spoilt := removedFrom(e.rest, got); spoilt != "" {
			t.Logf("%s: %s: %q was changed: %q", e.format, e.file, spoilt, got)
			f.spoilt++
		}
		if again, _ := r.RedactFile(e.file, got); e.file != "-" && again != got {
			t.Errorf("not idempotent: %q -> %q", got, again)
		}
		if strings.Count(got, "\n") != strings.Count(e.text, "\n") {
			t.Errorf("%q has other lines than %q", got, e.text)
		}
	}
	t.Logf("%-12s %6s %8s %7s %8s %6s", "format", "cases", "secrets", "recall", "negative", "false")
	for _, name := range order {
		f := formats[name]
		t.Logf("%-12s %6d %8d %6.1f%% %8d %6d", name, f.cases, f.secrets, 100*share(f.found, f.secrets), f.clean, f.spoilt)
		all.cases, all.secrets, all.found, all.clean, all.spoilt = all.cases+f.cases, all.secrets+f.secrets, all.found+f.found,
			all.clean+f.clean, all.spoilt+f.spoilt
		if share(f.found, f.secrets) < leastFormatRecall {
			t.Errorf("%s: recall %.3f, want %v", name, share(f.found, f.secrets), leastFormatRecall)
		}
	}
	t.Logf("%-12s %6d %8d %6.1f%% %8d %6d", "all", all.cases, all.secrets, 100*share(all.found, all.secrets), all.clean, all.spoilt)
	if all.cases < leastCases || all.clean < leastNegative {
		t.Errorf("%d cases, %d without a secret: too few", all.cases, all.clean)
	}
	if share(all.found, all.secrets) < leastRecall || share(all.spoilt, len(examples)) > mostFalse {
		t.Errorf("recall %.3f, want %v; false %.3f, at most %v", share(all.found, all.secrets), leastRecall, share(all.spoilt,
			len(examples)), mostFalse)
	}
}

func share(part, whole int) float64 { return float64(part) / float64(max(whole, 1)) }

// removedFrom gives the first of the parts that does not stand in text, behind those before it.
func removedFrom(parts []string, text string) string {
	for _, p := range parts {
		_, after, ok := strings.Cut(text, p)
		if !ok {
			return p
		}
		text = after
	}
	return ""
}

// TestDirectory measures a directory of yours: REDACT_DIR=path go test ./internal/redact -run Directory -v
// Without one it reads this program's own sources. Lines stay where they are, and what was replaced once is not again.
func TestDirectory(t *testing.T) {
	dir := cmp.Or(os.Getenv("REDACT_DIR"), "..")
	r := New()
	files, characters, removed, secrets := 0, 0, 0, 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 2<<20 || strings.ContainsRune(string(text[:min(len(text), 8000)]), 0) {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		got, n := r.RedactFile(name, string(text))
		files, characters, secrets = files+1, characters+len(text), secrets+n
		if strings.Count(got, "\n") != strings.Count(string(text), "\n") {
			t.Errorf("%s: lines have moved", name)
		}
		if again, more := r.RedactFile(name, got); more != 0 || again != got {
			t.Errorf("%s: %d secrets in what was redacted", name, more)
		}
		if n == 0 {
			return nil
		}
		marks := regexp.MustCompile(`\[REDACTED:[a-z-]+\]`)
		left := len(got)
		for _, m := range marks.FindAllString(got, -1) {
			left -= len(m)
		}
		removed += len(text) - left
		before := strings.Split(string(text), "\n")
		for i, l := range strings.Split(got, "\n") {
			if marks.MatchString(l) {
				t.Logf("%s:%d: %.200q", name, i+1, before[i])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d characters: %d secrets replaced, %d characters, %.1f of a million", files, characters, secrets, removed,
		1e6*share(removed, characters))
}
