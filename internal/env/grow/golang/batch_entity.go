package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// rows is the reader of one kind of file.
func (p *batchProject) rows(t thing) {
	p.add("rows/"+t.File+".go", func() string {
		var fields, cells, checks strings.Builder
		for i, f := range t.fields {
			fmt.Fprintf(&fields, "\t%s %s\n", f.Go, f.Type)
			cells.WriteString(batchCell(f, i))
			checks.WriteString(batchCheck(f))
		}
		amount, ok := t.first(grow.Cents, grow.Count)
		sum := "1"
		what := "number of rows"
		if ok {
			sum, what = "int64(r."+amount.Go+")", amount.Human
			if amount.Type == "int64" {
				sum = "r." + amount.Go
			}
		}
		return p.fillThing(t, `package rows

// @Type is one row about a @words of the @domain.
type @Type struct {
@fields}

// @TypeReader keeps the rows about @many that were read, by their @label. It is safe for concurrent use.
type @TypeReader struct {
	max int

	mu   sync.Mutex
	rows map[string]@Type
	sum  map[string]int64
}

// New@TypeReader makes a reader that keeps at most max rows.
func New@TypeReader(max int) *@TypeReader {
	return &@TypeReader{max: max, rows: map[string]@Type{}, sum: map[string]int64{}}
}

// Kind is what the names of the files begin with.
func (s *@TypeReader) Kind() string { return "@kind" }

// Parse@Type reads the cells of a line.
func Parse@Type(line batch.Line) (@Type, error) {
	var r @Type
	cells, err := line.Want(@count)
	if err != nil {
		return r, err
	}
@cells	return r, r.check()
}

func (r @Type) check() error {
	if r.@Label == "" || len(r.@Label) > 120 {
		return fmt.Errorf("%w: @label must have 1 to 120 bytes", batch.ErrBadLine)
	}
@checks	return nil
}

// Take keeps a line's row. A row of the same @label replaces the one before.
func (s *@TypeReader) Take(line batch.Line) error {
	r, err := Parse@Type(line)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.rows[r.@Label]; !ok && len(s.rows) >= s.max {
		return fmt.Errorf("more than %d rows about @many", s.max)
	}
	s.rows[r.@Label] = r
	s.sum[r.@Label] += @sum
	return nil
}

// Sum is the @what that was read for a @label.
func (s *@TypeReader) Sum(name string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sum[name]
}

// Rows gives what was read in the order of the @label.
func (s *@TypeReader) Rows() []@Type {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]@Type, 0, len(s.rows))
	for _, r := range s.rows {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b @Type) int { return strings.Compare(a.@Label, b.@Label) })
	return list
}
`, "@kind", strings.ReplaceAll(t.Table, "_", "-")+"-", "@fields", fields.String(), "@cells", cells.String(), "@count", fmt.Sprint(len(t.fields)), "@checks", checks.String(), "@sum", sum, "@what", what)
	})
}

// batchCell reads the cell of a field.
func batchCell(f field, i int) string {
	call := ""
	switch f.Type {
	case "string":
		return fmt.Sprintf("\tr.%s = cells[%d]\n", f.Go, i)
	case "[]string":
		return fmt.Sprintf("\tr.%s = strings.Fields(cells[%d])\n", f.Go, i)
	case "int64":
		call = fmt.Sprintf("strconv.ParseInt(cells[%d], 10, 64)", i)
	case "int":
		call = fmt.Sprintf("strconv.Atoi(cells[%d])", i)
	case "float64":
		call = fmt.Sprintf("strconv.ParseFloat(cells[%d], 64)", i)
	case "bool":
		call = fmt.Sprintf("strconv.ParseBool(cells[%d])", i)
	}
	return fmt.Sprintf("\tif r.%s, err = %s; err != nil {\n\t\treturn r, fmt.Errorf(\"%%w: %s %%q\", batch.ErrBadLine, cells[%d])\n\t}\n", f.Go, call, f.Human, i)
}

func batchCheck(f field) string {
	check := ""
	switch f.Kind {
	case grow.Email:
		check = `!strings.Contains(r.@F, "@")`
	case grow.Cents, grow.Count, grow.Time:
		check = "r.@F < 0"
	case grow.Ratio:
		check = "!(r.@F >= 0 && r.@F <= 1)"
	case grow.State:
		check = fmt.Sprintf("!slices.Contains([]string{\"%s\"}, r.@F)", strings.Join(f.Words, `", "`))
	default:
		return ""
	}
	return fill("\tif "+check+" {\n\t\treturn fmt.Errorf(\"%w: @w is out of range\", batch.ErrBadLine)\n\t}\n", "@F", f.Go, "@w", f.Human)
}

// entry keeps one kind of row.
func (p *batchProject) entry(t thing) {
	p.add("ledger/"+t.File+".go", func() string {
		var names, marks, values, scans, after []string
		words := ""
		for _, f := range t.fields {
			names = append(names, f.Name)
			marks = append(marks, "?")
			if f.Kind == grow.Tags {
				values = append(values, "strings.Join(r."+f.Go+", \" \")")
				scans = append(scans, "&words")
				words = "\tvar words string\n"
				after = append(after, "\tr."+f.Go+" = strings.Fields(words)\n")
				continue
			}
			values = append(values, "r."+f.Go)
			scans = append(scans, "&r."+f.Go)
		}
		return p.fillThing(t, `package ledger

// Keep@Many writes all rows of a file in one transaction and notes the file.
func (l *Ledger) Keep@Many(ctx context.Context, file, partner string, list []rows.@Type) error {
	return l.Whole(ctx, func(tx *sql.Tx) error {
		for _, r := range list {
			_, err := tx.ExecContext(ctx, "INSERT INTO @table (@names) VALUES (@marks)", @values)
			if err != nil {
				return fmt.Errorf("keep @words %q: %w", r.@Label, err)
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO imports (file, partner, at) VALUES (?, ?, ?)", file, partner, batch.Stamp(l.now()))
		if err != nil {
			return fmt.Errorf("note %s: %w", file, err)
		}
		return nil
	})
}

// @Type reads the row of a @label.
func (l *Ledger) @Type(ctx context.Context, name string) (*rows.@Type, error) {
	var r rows.@Type
@declare	row := l.db.QueryRowContext(ctx, "SELECT @names FROM @table WHERE @column = ?", name)
	err := row.Scan(@scans)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("read @words %q: %w", name, err)
	}
@after	return &r, nil
}

// Forget@Type deletes the row of a @label and says whether there was one.
func (l *Ledger) Forget@Type(ctx context.Context, name string) (bool, error) {
	name = strings.TrimSpace(name)
	done, err := l.db.ExecContext(ctx, "DELETE FROM @table WHERE @column = ?", name)
	if err != nil {
		return false, fmt.Errorf("forget @words %q: %w", name, err)
	}
	n, err := done.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("forget @words %q: %w", name, err)
	}
	return n > 0, nil
}
`, "@names", strings.Join(names, ", "), "@marks", strings.Join(marks, ", "), "@values", strings.Join(values, ", "), "@scans", strings.Join(scans, ", "),
			"@declare", words, "@after", strings.Join(after, ""), "@column", t.label().Name)
	})
}

// report writes about one kind of row.
func (p *batchProject) report(t thing) {
	p.add("paper/"+t.File+".go", func() string {
		condition := "!strings.HasPrefix(r.@Label, hidden) && !strings.HasSuffix(r.@Label, hidden)"
		if f, ok := t.first(grow.Flag); ok {
			condition = "r." + f.Go + " && !strings.HasPrefix(r.@Label, hidden)"
		} else if f, ok := t.first(grow.State); ok {
			condition = fmt.Sprintf("r.%s != %q && !strings.HasPrefix(r.@Label, hidden)", f.Go, f.Words[len(f.Words)-1])
		}
		due := ""
		if f, ok := t.first(grow.Time); ok {
			due = fill(`
// Overdue@Type says whether the row's @w lies before now.
func Overdue@Type(r rows.@Type, now time.Time) bool {
	return r.@F > 0 && r.@F < batch.Stamp(now)
}
`, "@w", f.Human, "@F", f.Go)
		}
		row := ""
		if p.planned("ledger/" + t.File + ".go") {
			row = `
// @TypeRow writes one row of the ledger as HTML, for the page of a single @words.
func @TypeRow(ctx context.Context, from *ledger.Ledger, name string) (string, error) {
	row, err := from.@Type(ctx, name)
	if err != nil {
		return "", fmt.Errorf("page about @words: %w", err)
	}
	return "<h2>" + html.EscapeString(row.@Label) + "</h2>\n", nil
}
`
		}
		return p.fillThing(t, fill(`package paper

// Listed@Type says whether a row is shown: those whose @label begins or ends with hidden are not.
func Listed@Type(r rows.@Type, hidden string) bool {
	return @condition
}

// @TypePage writes the page about the rows that a reader took.
func @TypePage(reader *rows.@TypeReader, hidden string) string {
	list := reader.Rows()
	totals := make([]Total, 0, len(list))
	for i := 0; i < len(list); i++ {
		if Listed@Type(list[i], hidden) {
			totals = append(totals, Total{Name: list[i].@Label, Amount: reader.Sum(list[i].@Label)})
		}
	}
	return HTML("@many", totals)
}
@row@due`, "@condition", condition, "@due", due, "@row", row))
	})
}

// merge compares two deliveries of one kind of row.
func (p *batchProject) merge(t thing) {
	p.add("merge/"+t.File+".go", func() string {
		var same []string
		for _, f := range t.fields[1:] {
			if f.Kind == grow.Tags {
				same = append(same, "slices.Equal(a."+f.Go+", b."+f.Go+")")
				continue
			}
			same = append(same, "a."+f.Go+" == b."+f.Go)
		}
		return p.fillThing(t, `package merge

// @Many takes two lists in the order of the @label and lists what only the new one has, and what differs.
func @Many(old, fresh []rows.@Type) (added, changed []rows.@Type) {
	i := 0
	for _, row := range fresh {
		for i < len(old) && old[i].@Label < row.@Label {
			i++
		}
		if i == len(old) || old[i].@Label != row.@Label {
			added = append(added, row)
			continue
		}
		if !same@Type(old[i], row) {
			changed = append(changed, row)
		}
	}
	return added, changed
}

// same@Type compares everything but the @label.
func same@Type(a, b rows.@Type) bool {
	return @same
}

// Names@Many lists the @label of each row, trimmed, without those that are empty.
func Names@Many(list []rows.@Type) []string {
	var names []string
	for i := 0; i < len(list); i++ {
		name := list[i].@Label
		name = strings.TrimSpace(name)
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
`, "@same", strings.Join(same, " &&\n\t\t"))
	})
}

func (p *batchProject) rowsTest(t thing) {
	p.add("rows/"+t.File+"_test.go", func() string {
		var cells []string
		for _, f := range t.fields {
			cell := strings.Trim(goodValue(f), `"`)
			if f.Kind == grow.Tags {
				cell = "first second"
			}
			cells = append(cells, fmt.Sprintf("%q", strings.ReplaceAll(cell, "_", "")))
		}
		return p.fillThing(t, `package rows

func TestParse@Type(t *testing.T) {
	cells := []string{@cells}
	r, err := Parse@Type(batch.Line{Number: 1, Cells: cells})
	if err != nil {
		t.Fatal(err)
	}
	if r.@Label != cells[0] {
		t.Errorf("@label is %q", r.@Label)
	}
	if _, err := Parse@Type(batch.Line{Number: 2}); !errors.Is(err, batch.ErrBadLine) {
		t.Errorf("a line without cells gives %v", err)
	}
	reader := New@TypeReader(1)
	for range 2 {
		if err := reader.Take(batch.Line{Number: 3, Cells: cells}); err != nil {
			t.Error(err)
		}
	}
	if n := len(reader.Rows()); n != 1 {
		t.Errorf("%d rows, wanted 1", n)
	}
}
`, "@cells", strings.Join(cells, ", "))
	})
}
