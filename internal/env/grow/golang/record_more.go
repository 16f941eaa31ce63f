package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// page shows an entity as HTML.
func (p *recordProject) page(t thing) {
	p.add("internal/pages/"+t.File+".go", func() string {
		var head, cells strings.Builder
		for _, f := range t.fields {
			fmt.Fprintf(&head, "<th>%s</th>", f.Human)
			switch f.Kind {
			case grow.State:
				fmt.Fprintf(&cells, "\t\t%[1]s := html.EscapeString(list[i].%[2]s)\n\t\tb.WriteString(\"<td class='state'>\" + %[1]s + \"</td>\")\n", lower(f.Go), f.Go)
			case grow.Text, grow.Email:
				fmt.Fprintf(&cells, "\t\tb.WriteString(\"<td>\" + html.EscapeString(list[i].%s) + \"</td>\")\n", f.Go)
			case grow.Cents:
				fmt.Fprintf(&cells, "\t\tfmt.Fprintf(&b, \"<td>%%d.%%02d</td>\", list[i].%s/100, list[i].%s%%100)\n", f.Go, f.Go)
			case grow.Tags:
				fmt.Fprintf(&cells, "\t\tb.WriteString(\"<td>\" + html.EscapeString(strings.Join(list[i].%s, \", \")) + \"</td>\")\n", f.Go)
			case grow.Time:
				fmt.Fprintf(&cells, "\t\tb.WriteString(\"<td>\" + time.Unix(list[i].%s, 0).UTC().Format(time.DateOnly) + \"</td>\")\n", f.Go)
			default:
				fmt.Fprintf(&cells, "\t\tfmt.Fprintf(&b, \"<td>%%v</td>\", list[i].%s)\n", f.Go)
			}
		}
		search := p.choose(`
// Matching@Many keeps the records whose @labelwords begins with a prefix, at most max of them.
func Matching@Many(list []records.@Type, prefix string, max int) []records.@Type {
	prefix = strings.ToLower(prefix)
	var kept []records.@Type
	for _, one := range list {
		name := strings.ToLower(one.@Label)
		if strings.HasPrefix(name, prefix) && len(kept) < max {
			kept = append(kept, one)
		}
	}
	return kept
}
`, `
// Newest@Many gives the records with the latest changes first; list stays as it is.
func Newest@Many(list []records.@Type) []records.@Type {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(a, b records.@Type) int {
		if a.UpdatedAt != b.UpdatedAt {
			return int(min(max(b.UpdatedAt-a.UpdatedAt, -1), 1))
		}
		return strings.Compare(a.@Label, b.@Label)
	})
	return sorted
}
`)
		return p.fillThing(t, `package pages

// @Many writes @words records as a table for browsers.
func @Many(title string, list []records.@Type) string {
	var b strings.Builder
	b.WriteString("<h1>" + html.EscapeString(title) + "</h1>\n<table>\n<tr>@head</tr>\n")
	for i := 0; i < len(list); i++ {
		b.WriteString("<tr>")
@cells		b.WriteString("</tr>\n")
	}
	b.WriteString("</table>\n")
	return b.String()
}
`+search, "@head", head.String(), "@cells", cells.String(), "@labelwords", t.label().Human)
	})
}

// export writes an entity to files.
func (p *recordProject) export(t thing) {
	p.add("internal/export/"+t.File+".go", func() string {
		var names, cells []string
		for _, f := range t.fields {
			names = append(names, fmt.Sprintf("%q", f.Name))
			cells = append(cells, recordCell(f))
		}
		return p.fillThing(t, `package export

// @Many writes records to a CSV file below dir and returns how many there were. A file of that name is replaced.
func @Many(dir, name string, list []records.@Type) (int, error) {
	if !filepath.IsLocal(name) {
		return 0, fmt.Errorf("export %q: the name leaves the directory", name)
	}
	path := filepath.Join(dir, name)
	file, err := os.Create(path)
	if err != nil {
		return 0, fmt.Errorf("export @words: %w", err)
	}
	if err := write@Many(file, list); err != nil {
		_ = file.Close() // the error of writing says more
		return 0, err
	}
	if err := file.Close(); err != nil {
		return 0, fmt.Errorf("export @words: %w", err)
	}
	return len(list), nil
}

func write@Many(to io.Writer, list []records.@Type) error {
	out := csv.NewWriter(to)
	if err := out.Write([]string{"id", "owner", @names}); err != nil {
		return fmt.Errorf("export @words: %w", err)
	}
	for _, r := range list {
		if err := out.Write([]string{strconv.FormatInt(r.ID, 10), r.Owner, @cells}); err != nil {
			return fmt.Errorf("export @words %d: %w", r.ID, err)
		}
	}
	out.Flush()
	return out.Error()
}

// Add@Type appends the number of an exported record to the list of what was handed out.
func Add@Type(path string, r records.@Type) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("note @words %d: %w", r.ID, err)
	}
	if _, err := fmt.Fprintf(file, "@words %d\n", r.ID); err != nil {
		_ = file.Close()
		return fmt.Errorf("note @words %d: %w", r.ID, err)
	}
	return file.Close()
}
`, "@names", strings.Join(names, ", "), "@cells", strings.Join(cells, ", "))
	})
}

func recordCell(f field) string {
	switch f.Kind {
	case grow.Cents, grow.Time:
		return "strconv.FormatInt(r." + f.Go + ", 10)"
	case grow.Count:
		return "strconv.Itoa(r." + f.Go + ")"
	case grow.Ratio:
		return "strconv.FormatFloat(r." + f.Go + ", 'f', 4, 64)"
	case grow.Flag:
		return "strconv.FormatBool(r." + f.Go + ")"
	case grow.Tags:
		return "strings.Join(r." + f.Go + ", \" \")"
	}
	return "r." + f.Go
}

// sweep finds the records of an entity that are due.
func (p *recordProject) sweep(t thing) {
	p.add("internal/sweep/"+t.File+".go", func() string {
		clean := p.choose("7 * 24 * time.Hour", "30 * 24 * time.Hour", "48 * time.Hour")
		var due string
		if f, ok := t.first(grow.Time); ok {
			due = fill("\tif r.@F > 0 && time.Unix(r.@F, 0).After(s.clock()) {\n\t\treturn false // @w lies ahead\n\t}\n", "@F", f.Go, "@w", f.Human)
		}
		return p.fillThing(t, `package sweep

// stale@Type is how long a @words may lie without a change.
const stale@Type = @clean

// @Type finds @words records that nobody changed for long. It is safe for concurrent use.
type @Type struct {
	clock func() time.Time

	mu      sync.Mutex
	claimed map[int64]bool
}

// New@Type makes a sweep that nothing is claimed from.
func New@Type(clock func() time.Time) *@Type {
	return &@Type{clock: clock, claimed: map[int64]bool{}}
}

// Stale says whether a record was left alone for longer than it may be.
func (s *@Type) Stale(r records.@Type) bool {
@due	return records.Stamp(s.clock())-r.UpdatedAt > int64(stale@Type/time.Second)
}

// Claim takes a record for the caller. It says false when somebody has it already.
func (s *@Type) Claim(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.claimed[id]; ok {
		return false
	}
	s.claimed[id] = true
	return true
}

// Release gives a record back.
func (s *@Type) Release(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.claimed, id)
}

// Pick claims the stale records of a list, at most max of them.
func (s *@Type) Pick(list []records.@Type, max int) []int64 {
	var picked []int64
	for i := 0; i < len(list) && len(picked) < max; i++ {
		if s.Stale(list[i]) && s.Claim(list[i].ID) {
			picked = append(picked, list[i].ID)
		}
	}
	return picked
}
`, "@clean", clean, "@due", due)
	})
}

// remote is a client of another service's records.
func (p *recordProject) remote(t thing) {
	p.add("internal/remote/"+t.File+".go", func() string {
		return p.fillThing(t, `package remote

// @Many asks another installation for its @words records.
type @Many struct {
	client *http.Client
	base   string
	token  string
}

// New@Many makes a client; base is the address without a final slash.
func New@Many(client *http.Client, base, token string) *@Many {
	return &@Many{client: client, base: base, token: token}
}

// Fetch reads one record. What is not there is records.ErrNotFound.
func (c *@Many) Fetch(ctx context.Context, id int64) (*records.@Type, error) {
	address := c.base + "/@path/" + strconv.FormatInt(id, 10)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for @words %d: %w", id, err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask for @words %d: %w", id, err)
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusNotFound:
		return nil, records.ErrNotFound
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("ask for @words %d: status %d", id, answer.StatusCode)
	}
	var got records.@Type
	if err := json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&got); err != nil {
		return nil, fmt.Errorf("answer about @words %d: %w", id, err)
	}
	if err := got.Validate(); err != nil {
		return nil, err
	}
	return &got, nil
}

// @Label asks for the @labelwords of a record.
func (c *@Many) @Label(ctx context.Context, id int64) (string, error) {
	got, err := c.Fetch(ctx, id)
	if err != nil {
		return "", err
	}
	return got.@Label, nil
}
`, "@path", strings.ReplaceAll(t.Table, "_", "-"), "@labelwords", t.label().Human)
	})
}

// quote computes with the numbers of an entity.
func (p *recordProject) quote(t thing) {
	p.add("internal/quote/"+t.File+".go", func() string {
		amount := "int64(len(r." + t.label().Go + "))"
		what := "the length of its " + t.label().Human
		if f, ok := t.first(grow.Cents); ok {
			amount, what = "r."+f.Go, "its "+f.Human
		} else if f, ok := t.first(grow.Count); ok {
			amount, what = "int64(r."+f.Go+")", "its "+f.Human
		}
		condition := "r.ID > 0 && r.Owner != \"\""
		if f, ok := t.first(grow.Flag); ok {
			condition = "r." + f.Go + " && r.Owner != \"\""
		} else if f, ok := t.first(grow.State); ok {
			condition = fmt.Sprintf("r.%s != %q && r.Owner != \"\"", f.Go, f.Words[len(f.Words)-1])
		}
		return p.fillThing(t, `package quote

// @TypeWeight is what a @words counts for: @what.
func @TypeWeight(r records.@Type) int64 {
	return @amount
}

// @TypeCounts says whether a record takes part in totals.
func @TypeCounts(r records.@Type) bool {
	return @condition
}

// @ManyTotal adds up the records that count.
func @ManyTotal(list []records.@Type) int64 {
	var total int64
	for _, r := range list {
		if @TypeCounts(r) {
			total += @TypeWeight(r)
		}
	}
	return total
}

// @ManyByOwner adds up for each owner and names the owners in the order of the alphabet.
func @ManyByOwner(list []records.@Type) (owners []string, totals map[string]int64) {
	totals = map[string]int64{}
	for i := 0; i < len(list); i++ {
		owner := strings.ToLower(list[i].Owner)
		if _, ok := totals[owner]; !ok {
			owners = append(owners, owner)
		}
		totals[owner] += @TypeWeight(list[i])
	}
	sort.Strings(owners)
	return owners, totals
}

// @TypeWithin says whether a record was changed in the given window, both ends included.
func @TypeWithin(r records.@Type, from, to time.Time) bool {
	return r.UpdatedAt >= records.Stamp(from) && r.UpdatedAt <= records.Stamp(to)
}
`, "@amount", amount, "@what", what, "@condition", condition)
	})
}

// entityTest tests what an entity checks.
func (p *recordProject) entityTest(t thing) {
	p.add("internal/records/"+t.File+"_test.go", func() string {
		var good strings.Builder
		for _, f := range t.fields {
			fmt.Fprintf(&good, "\t\t%s: %s,\n", f.Go, goodValue(f))
		}
		return p.fillThing(t, `package records

func good@Type() @Type {
	return @Type{
@good	}
}

func Test@TypeValidate(t *testing.T) {
	r := good@Type()
	if err := r.Validate(); err != nil {
		t.Fatal(err)
	}
	r.@Label = strings.Repeat("x", 501)
	if err := r.Validate(); !errors.Is(err, ErrInvalid) {
		t.Errorf("a long @labelwords gives %v", err)
	}
}
`, "@good", good.String(), "@labelwords", t.label().Human)
	})
}

// goodValue is a value that a field may have.
func goodValue(f field) string {
	switch f.Kind {
	case grow.Email:
		return `"someone@example.org"`
	case grow.Cents:
		return "1250"
	case grow.Count:
		return "3"
	case grow.Ratio:
		return "0.25"
	case grow.Time:
		return "1_700_000_000"
	case grow.Flag:
		return "true"
	case grow.State:
		return fmt.Sprintf("%q", f.Words[0])
	case grow.Tags:
		return `[]string{"first", "second"}`
	}
	return `"` + f.Human + `"`
}
