package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// tallyCLI is a command-line tool that keeps numbers by topic and answers questions about them.
func tallyCLI() grow.Template {
	return grow.Template{
		Name: "go/tally-cli", Language: "go", Split: "heldout",
		About: "a command-line tool for series of numbers: one package a topic, a store on disk, a scheduler, a fetcher",
		Grow: func(s grow.Spec) map[string]string {
			w := newWriter(s, []string{
				"bufio", "bytes", "cmp", "context", "crypto/hmac", "crypto/sha256", "crypto/tls", "encoding/hex", "errors", "flag", "fmt", "io", "iter", "maps", "math", "net", "net/http",
				"net/url", "os", "os/exec", "path/filepath", "slices", "strconv", "strings", "sync", "testing", "text/tabwriter", "time",
			}, []string{"tally", "keep", "fetch", "clockwork", "squeeze"})
			p := &tallyProject{writer: w, all: things(s.Domain.Entities(w.r, 2+s.Files/3))}
			for _, t := range p.all {
				w.imports[topicPackage(t)] = w.module + "/topics/" + topicPackage(t)
			}
			p.plan()
			return w.files()
		},
	}
}

type tallyProject struct {
	*writer
	all []thing
}

func topicPackage(t thing) string { return strings.ReplaceAll(t.Table, "_", "") }

func (p *tallyProject) plan() {
	p.add("go.mod", func() string { return "module " + p.module + "\n\ngo 1.24\n" })
	p.add("README.md", p.readme)
	p.add("tally/series.go", p.series)
	p.add("tally/window.go", p.window)
	p.add("keep/keep.go", p.keep)
	p.topic(p.all[0])
	p.add("tally/tally_test.go", p.tallyTest)
	p.add("main.go", p.main)
	shared := []func(){
		func() { p.add("clockwork/clockwork.go", p.clockwork) },
		func() { p.add("fetch/fetch.go", p.fetch) },
		func() { p.add("squeeze/squeeze.go", p.squeeze) },
		func() { p.add("keep/keep_test.go", p.keepTest) },
		func() { p.add("tally/chart.go", p.chart) },
	}
	for i := 0; !p.full(); i++ {
		t := p.all[i]
		if i > 0 {
			p.topic(t)
		}
		for range 2 {
			if len(shared) > 0 {
				shared[0]()
				shared = shared[1:]
			}
		}
		extra := []func(thing){p.ask, p.load, p.topicTest}
		p.r.Shuffle(len(extra), func(a, b int) { extra[a], extra[b] = extra[b], extra[a] })
		for _, add := range extra[:2+p.r.IntN(2)] {
			add(t)
		}
	}
}

func (p *tallyProject) fillThing(t thing, text string, pairs ...string) string {
	return p.vary(fill(text, append(pairs,
		"@pkg", topicPackage(t), "@Type", t.Type, "@var", t.Var, "@words", t.Human, "@many", strings.ReplaceAll(t.Table, "_", " "),
		"@Label", t.label().Go, "@label", t.label().Human, "@domain", p.spec.Domain.Name)...))
}

// topics are those whose package can be asked from the command line.
func (p *tallyProject) topics() []thing {
	var out []thing
	for _, t := range p.all {
		if p.planned("topics/" + topicPackage(t) + "/ask.go") {
			out = append(out, t)
		}
	}
	return out
}

func (p *tallyProject) readme() string {
	var b strings.Builder
	name := strings.ReplaceAll(p.spec.Name, "_", "-")
	fmt.Fprintf(&b, "%s(1)\n\nNAME\n\n    %s - counts and sums of the %s on the command line\n\nSYNOPSIS\n\n", name, name, p.spec.Domain.Name)
	for _, t := range capped(p.topics()) {
		fmt.Fprintf(&b, "    %s %s [-last n] [file]\n", name, topicPackage(t))
	}
	b.WriteString("    " + name + " help\n\nNOTES\n\n    Points are in the order of time, oldest first. Ranges are half open. Snapshots carry a sum\n    made with the key in TALLY_KEY; one that does not carry the right sum is not read.\n")
	return b.String()
}

func (p *tallyProject) series() string {
	return `// Package tally holds series of numbers over time and what can be asked of them.
package tally

// Fault is an error that is known by its text.
type Fault string

// The faults of this program.
const (
	NoData  Fault = "no data"
	BadCell Fault = "cell cannot be read"
	TooMany Fault = "too many points"
	Forged  Fault = "snapshot is not signed by us"
)

func (f Fault) Error() string { return string(f) }

// Point is one number at one moment, in seconds since 1970.
type Point struct {
	At    int64
	Value float64
}

// Series is a bounded list of points of one name.
type Series struct {
	Name   string
	Limit  int
	points []Point
}

// ReadPoint takes apart a line of a moment, a blank and a number.
func ReadPoint(line string) (Point, error) {
	moment, number, found := strings.Cut(strings.TrimSpace(line), " ")
	if !found {
		return Point{}, fmt.Errorf("point %q: %w", line, BadCell)
	}
	at, err := strconv.ParseInt(moment, 10, 64)
	if err != nil {
		return Point{}, fmt.Errorf("moment %q: %w", moment, BadCell)
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return Point{}, fmt.Errorf("number %q: %w", number, BadCell)
	}
	return Point{At: at, Value: value}, nil
}

// Add appends a point.
func (s *Series) Add(p Point) error {
	if len(s.points) >= s.Limit {
		return fmt.Errorf("%s after %d points: %w", s.Name, s.Limit, TooMany)
	}
	s.points = append(s.points, p)
	return nil
}

// Len is how many points there are.
func (s *Series) Len() int { return len(s.points) }

// Points yields what lies from one moment up to, and without, another.
func (s *Series) Points(from, to int64) iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for _, p := range s.points {
			if p.At >= from && p.At < to && !yield(p) {
				return
			}
		}
	}
}

// Timeline gives all points, the oldest first. The slice is the caller's.
func (s *Series) Timeline() []Point {
	line := slices.Clone(s.points)
	slices.SortStableFunc(line, func(a, b Point) int { return cmp.Compare(a.At, b.At) })
	return line
}

// Ranked gives all points, the largest number first. The slice is the caller's.
func (s *Series) Ranked() []Point {
	line := slices.Clone(s.points)
	slices.SortStableFunc(line, func(a, b Point) int { return cmp.Compare(b.Value, a.Value) })
	return line
}

// Tail is the range of the last n of total elements.
func Tail(n, total int) (lo, hi int) {
	hi = max(total, 0)
	lo = max(hi-max(n, 0), 0)
	return lo, hi
}
`
}

func (p *tallyProject) window() string {
	return `package tally

// First is the oldest point.
func (s *Series) First() (Point, error) {
	line := s.Timeline()
	if len(line) == 0 {
		return Point{}, fmt.Errorf("first of %s: %w", s.Name, NoData)
	}
	return line[0], nil
}

// Last gives the newest n points, the oldest of them first.
func (s *Series) Last(n int) []Point {
	line := s.Timeline()
	lo, hi := Tail(n, len(line))
	return line[lo:hi]
}

// Mean is the average of the newest n points.
func (s *Series) Mean(n int) (float64, error) {
	points := s.Last(n)
	if len(points) == 0 {
		return 0, fmt.Errorf("mean of %s: %w", s.Name, NoData)
	}
	return Sum(points) / float64(len(points)), nil
}

// Sum adds numbers up.
func Sum(points []Point) float64 {
	var total float64
	for _, p := range points {
		total += p.Value
	}
	return total
}

// Median is the number in the middle, or the mean of the two that are.
func (s *Series) Median() (float64, error) {
	ranked := s.Ranked()
	middle := len(ranked) / 2
	switch {
	case len(ranked) == 0:
		return 0, fmt.Errorf("median of %s: %w", s.Name, NoData)
	case len(ranked)%2 == 1:
		return ranked[middle].Value, nil
	}
	return (ranked[middle-1].Value + ranked[middle].Value) / 2, nil
}

// Peak is the largest number, and whether there is one.
func (s *Series) Peak() (Point, bool) {
	ranked := s.Ranked()
	if len(ranked) == 0 {
		return Point{}, false
	}
	return ranked[0], true
}

// MeanOrZero is Mean for lists in which a gap counts as nothing.
func (s *Series) MeanOrZero(n int) (float64, error) {
	mean, err := s.Mean(n)
	if errors.Is(err, NoData) {
		return 0, nil
	}
	return mean, err
}

// ReadAll fills a series from lines. It ends without a fault when the series is full.
func ReadAll(from io.Reader, s *Series) error {
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		point, err := ReadPoint(lines.Text())
		if err != nil {
			return err
		}
		if err := s.Add(point); errors.Is(err, TooMany) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return lines.Err()
}
`
}

func (p *tallyProject) keep() string {
	return `// Package keep holds answers between two runs, in memory and in a signed file.
package keep

// Store maps questions to answers. It may be used by several goroutines.
type Store struct {
	room int
	key  []byte

	guard   sync.RWMutex
	answers map[string]string
	asked   map[string]int
}

// New makes an empty store for room answers; key signs its file.
func New(room int, key []byte) *Store {
	return &Store{room: room, key: bytes.Clone(key), answers: make(map[string]string), asked: make(map[string]int)}
}

// Set keeps an answer of one line.
func (s *Store) Set(question, answer string) error {
	s.guard.Lock()
	defer s.guard.Unlock()
	if _, there := s.answers[question]; !there && len(s.answers) >= s.room {
		return fmt.Errorf("keep answer: %w", tally.TooMany)
	}
	s.answers[question] = answer
	return nil
}

// Get looks an answer up and counts the question.
func (s *Store) Get(question string) (string, error) {
	s.guard.Lock()
	defer s.guard.Unlock()
	s.asked[question]++
	answer, there := s.answers[question]
	if !there {
		return "", fmt.Errorf("question %q: %w", question, tally.NoData)
	}
	return answer, nil
}

// Asked says how often each question was asked; the map is a copy.
func (s *Store) Asked() map[string]int {
	s.guard.RLock()
	defer s.guard.RUnlock()
	return maps.Clone(s.asked)
}

func (s *Store) signature(text []byte) []byte {
	h := hmac.New(sha256.New, s.key)
	h.Write(text)
	return h.Sum(nil)
}

func (s *Store) signed(mark string, text []byte) bool {
	given, err := hex.DecodeString(mark)
	return err == nil && hmac.Equal(given, s.signature(text))
}

// Save writes the answers to a stream: a line with the signature, then one line an answer.
func (s *Store) Save(to io.Writer) error {
	s.guard.RLock()
	defer s.guard.RUnlock()
	var body bytes.Buffer
	for _, question := range slices.Sorted(maps.Keys(s.answers)) {
		fmt.Fprintf(&body, "%s\t%s\n", strconv.Quote(question), strconv.Quote(s.answers[question]))
	}
	out := bufio.NewWriter(to)
	fmt.Fprintf(out, "%x\n", s.signature(body.Bytes()))
	out.Write(body.Bytes())
	if err := out.Flush(); err != nil {
		return fmt.Errorf("save answers: %w", err)
	}
	return nil
}

// Load replaces the answers by those of a stream that Save wrote with the same key.
func (s *Store) Load(from io.Reader) error {
	all, err := io.ReadAll(io.LimitReader(from, 16<<20))
	if err != nil {
		return fmt.Errorf("load answers: %w", err)
	}
	mark, body, _ := bytes.Cut(all, []byte("\n"))
	if !s.signed(string(mark), body) {
		return fmt.Errorf("load signed answers: %w", tally.Forged)
	}
	answers := make(map[string]string)
	for line := range strings.Lines(string(body)) {
		left, right, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		question, err := strconv.Unquote(left)
		if err != nil {
			return fmt.Errorf("load question: %w", err)
		}
		if answers[question], err = strconv.Unquote(right); err != nil {
			return fmt.Errorf("load answer: %w", err)
		}
	}
	s.guard.Lock()
	defer s.guard.Unlock()
	s.answers = answers
	return nil
}
`
}

func (p *tallyProject) keepTest() string {
	return `package keep

func TestSaveAndLoad(t *testing.T) {
	var file bytes.Buffer
	s := New(2, []byte("k"))
	for _, q := range []string{"one", "two"} {
		if err := s.Set(q, q+"\n!"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set("three", ""); !errors.Is(err, tally.TooMany) {
		t.Errorf("a third answer: %v", err)
	}
	if err := s.Save(&file); err != nil {
		t.Fatal(err)
	}
	text := file.String()
	again := New(2, []byte("k"))
	if err := again.Load(strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if got, err := again.Get("two"); err != nil || got != "two\n!" {
		t.Errorf("%q, %v", got, err)
	}
	if err := New(2, []byte("x")).Load(strings.NewReader(text)); !errors.Is(err, tally.Forged) {
		t.Errorf("another key: %v", err)
	}
}
`
}

func (p *tallyProject) tallyTest() string {
	return `package tally

func TestSeries(t *testing.T) {
	s := &Series{Name: "x", Limit: 3}
	if err := ReadAll(strings.NewReader("30 1.5\n10 4\n20 2\n99 9\n"), s); err != nil {
		t.Fatal(err)
	}
	if s.Len() != 3 {
		t.Fatalf("%d points", s.Len())
	}
	if first, err := s.First(); err != nil || first.At != 10 {
		t.Errorf("first %v, %v", first, err)
	}
	if peak, ok := s.Peak(); !ok || peak.Value != 4 {
		t.Errorf("peak %v", peak)
	}
	if median, err := s.Median(); err != nil || median != 2 {
		t.Errorf("median %v, %v", median, err)
	}
	if last := s.Last(2); len(last) != 2 || last[1].At != 30 {
		t.Errorf("last %v", last)
	}
}

func TestFaults(t *testing.T) {
	if _, err := ReadPoint("now 3"); !errors.Is(err, BadCell) {
		t.Errorf("got %v", err)
	}
	if mean, err := (&Series{}).MeanOrZero(4); mean != 0 || err != nil {
		t.Errorf("got %v, %v", mean, err)
	}
}
`
}
