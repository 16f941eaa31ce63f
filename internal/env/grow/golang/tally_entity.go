package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// topic is the package of an entity: its records.
func (p *tallyProject) topic(t thing) {
	p.add("topics/"+topicPackage(t)+"/"+t.File+".go", func() string {
		var fields, pieces strings.Builder
		for _, f := range t.fields {
			fmt.Fprintf(&fields, "\t%s %s\n", f.Go, f.Type)
		}
		measure, what := "1", "one"
		if f, ok := t.first(grow.Cents, grow.Count, grow.Ratio); ok {
			measure, what = "float64(r."+f.Go+")", "its "+f.Human
			if f.Type == "float64" {
				measure = "r." + f.Go
			}
		}
		moment := "r.Seen"
		if f, ok := t.first(grow.Time); ok {
			moment = "max(r.Seen, r." + f.Go + ")"
		}
		for _, f := range t.fields[1:] {
			switch f.Kind {
			case grow.Flag:
				fmt.Fprintf(&pieces, "\tif r.%s {\n\t\tline.WriteString(\" %s\")\n\t}\n", f.Go, f.Human)
			case grow.Tags:
				fmt.Fprintf(&pieces, "\tfor _, mark := range r.%s {\n\t\tline.WriteString(\" #\" + mark)\n\t}\n", f.Go)
			case grow.Text, grow.Email, grow.State:
				fmt.Fprintf(&pieces, "\tline.WriteString(\" \" + r.%s)\n", f.Go)
			default:
				fmt.Fprintf(&pieces, "\tfmt.Fprintf(&line, \" %s=%%v\", r.%s)\n", f.Name, f.Go)
			}
		}
		return p.fillThing(t, `// Package @pkg knows the @many of the @domain.
package @pkg

// Record is one @words.
type Record struct {
	Seen int64 // seconds since 1970
@fields}

// Measure is what a record counts for in series: @what.
func (r Record) Measure() float64 { return @measure }

// Moment is when a record counts.
func (r Record) Moment() int64 { return @moment }

// String writes a record as one line.
func (r Record) String() string {
	var line strings.Builder
	line.WriteString(r.@Label)
@pieces	return line.String()
}

// Book holds the records of the topic.
type Book struct {
	capacity int

	guard   sync.RWMutex
	records map[string]Record
}

// NewBook has room for capacity records.
func NewBook(capacity int) *Book {
	return &Book{capacity: capacity, records: make(map[string]Record)}
}

// Write puts a record in. The newer one of two with the same @label stays.
func (b *Book) Write(r Record) error {
	b.guard.Lock()
	defer b.guard.Unlock()
	old, known := b.records[r.@Label]
	if known && old.Seen > r.Seen {
		return nil
	}
	if !known && len(b.records) >= b.capacity {
		return fmt.Errorf("write @words %q: %w", r.@Label, tally.TooMany)
	}
	b.records[r.@Label] = r
	return nil
}

// Copy gives all records, by @label.
func (b *Book) Copy() map[string]Record {
	b.guard.RLock()
	defer b.guard.RUnlock()
	return maps.Clone(b.records)
}

// Ordered lists the records by when they were seen.
func (b *Book) Ordered() []Record {
	list := slices.Collect(maps.Values(b.Copy()))
	slices.SortFunc(list, func(x, y Record) int {
		return cmp.Or(cmp.Compare(y.Seen, x.Seen), strings.Compare(x.@Label, y.@Label))
	})
	return list
}

// Series turns the records into points.
func (b *Book) Series(limit int) (*tally.Series, error) {
	s := &tally.Series{Name: "@many", Limit: limit}
	for _, r := range b.Ordered() {
		if err := s.Add(tally.Point{At: r.Moment(), Value: r.Measure()}); err != nil {
			return nil, err
		}
	}
	return s, nil
}
`, "@fields", fields.String(), "@what", what, "@measure", measure, "@moment", moment, "@pieces", pieces.String())
	})
}

// ask is a topic's command.
func (p *tallyProject) ask(t thing) {
	p.add("topics/"+topicPackage(t)+"/ask.go", func() string {
		question := p.choose(`	mean, err := series.MeanOrZero(*last)
	if err != nil {
		return err
	}
	return show(out, "mean", mean, series.Last(*last))
`, `	median, err := series.Median()
	if errors.Is(err, tally.NoData) {
		return show(out, "median", 0, nil)
	}
	if err != nil {
		return err
	}
	return show(out, "median", median, series.Last(*last))
`, `	points := series.Last(*last)
	return show(out, "sum", tally.Sum(points), points)
`)
		return p.fillThing(t, `package @pkg

// Ask reads lines of a @label, a blank and a number of seconds, and answers with figures.
func Ask(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("@pkg", flag.ContinueOnError)
	last := flags.Int("last", 10, "how many points to show")
	room := flags.Int("room", 1000, "how many @many to take in")
	if err := flags.Parse(args); err != nil {
		return err
	}
	book := NewBook(*room)
	if err := fillBook(in, book); errors.Is(err, tally.TooMany) {
		fmt.Fprintln(out, "only the first", *room, "@many are counted")
	} else if err != nil {
		return err
	}
	series, err := book.Series(*room)
	if err != nil {
		return err
	}
@question}

func fillBook(in io.Reader, book *Book) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		name, seconds, _ := strings.Cut(lines.Text(), " ")
		seen, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil {
			return fmt.Errorf("@words %q: %w", name, tally.BadCell)
		}
		if err := book.Write(Record{@Label: name, Seen: seen}); err != nil {
			return err
		}
	}
	return lines.Err()
}

// show writes a figure and the points behind it.
func show(out io.Writer, name string, figure float64, points []tally.Point) error {
	page := bufio.NewWriter(out)
	fmt.Fprintf(page, "%s %.2f\n", name, figure)
	for _, p := range points {
		fmt.Fprintf(page, "%s %g\n", time.Unix(p.At, 0).UTC().Format(time.DateTime), p.Value)
	}
	if err := page.Flush(); err != nil {
		return fmt.Errorf("show @many: %w", err)
	}
	return nil
}

// Latest is the record seen last.
func Latest(book *Book) (Record, error) {
	newest := book.Ordered()
	if len(newest) == 0 {
		return Record{}, fmt.Errorf("latest @words: %w", tally.NoData)
	}
	return newest[0], nil
}
`, "@question", question)
	})
}

// load is a topic's table and its file on disk.
func (p *tallyProject) load(t thing) {
	p.add("topics/"+topicPackage(t)+"/table.go", func() string {
		style := p.choose("record.String()", "record.@Label")
		filter := ""
		if f, ok := t.first(grow.State); ok {
			filter = fill(`
// By@F counts the records of each @h.
func By@F(records []Record) map[string]int {
	counts := make(map[string]int, 4)
	for _, record := range records {
		counts[record.@F]++
	}
	return counts
}
`, "@F", f.Go, "@h", f.Human)
		} else if f, ok := t.first(grow.Count, grow.Cents); ok {
			filter = fill(`
// Most@F is the record with the largest @h; the first one wins.
func Most@F(records []Record) (most Record, found bool) {
	for _, record := range records {
		if !found || record.@F > most.@F {
			most, found = record, true
		}
	}
	return most, found
}
`, "@F", f.Go, "@h", f.Human)
		}
		return p.fillThing(t, `package @pkg

// Table writes records in columns.
func Table(to io.Writer, records []Record) error {
	columns := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(columns, "@label\tseen\tmeasure")
	for _, r := range records {
		fmt.Fprintf(columns, "%s\t%d\t%g\n", r.@Label, r.Seen, r.Measure())
	}
	return columns.Flush()
}

// Newer lists the page of the newest n records as lines.
func Newer(book *Book, n int) string {
	records := book.Ordered()
	slices.Reverse(records)
	lo, hi := tally.Tail(n, len(records))
	var text strings.Builder
	for _, record := range records[lo:hi] {
		text.WriteString(`+style+`)
		text.WriteString("\n")
	}
	return text.String()
}

// Export writes all lines of the book to a new file.
func Export(book *Book, path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("export @many: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	page := bufio.NewWriter(file)
	for _, record := range book.Ordered() {
		fmt.Fprintln(page, record)
	}
	return page.Flush()
}
`+filter)
	})
}

func (p *tallyProject) topicTest(t thing) {
	p.add("topics/"+topicPackage(t)+"/"+t.File+"_test.go", func() string {
		return p.fillThing(t, `package @pkg

func TestBook(t *testing.T) {
	book := NewBook(2)
	for i, name := range []string{"a", "b", "b"} {
		if err := book.Write(Record{@Label: name, Seen: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.Write(Record{@Label: "c"}); !errors.Is(err, tally.TooMany) {
		t.Errorf("a third @words: %v", err)
	}
	newest := book.Ordered()
	if len(newest) != 2 || newest[0].@Label != "b" || newest[0].Seen != 2 {
		t.Errorf("newest %v", newest)
	}
	series, err := book.Series(10)
	if err != nil || series.Len() != 2 {
		t.Errorf("series %v, %v", series, err)
	}
}
`)
	})
}
