package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// record is the type of an entity, its checks and its table.
func (p *recordProject) record(t thing) string {
	var fields, checks, columns, marks, scans, after, values strings.Builder
	states := ""
	for _, f := range t.fields {
		fmt.Fprintf(&fields, "\t%s %s `json:%q`", f.Go, f.Type, f.Name)
		switch f.Kind {
		case grow.Cents:
			fields.WriteString(" // in cents")
		case grow.Time:
			fields.WriteString(" // seconds since 1970")
		case grow.Ratio:
			fields.WriteString(" // 0 to 1")
		}
		fields.WriteString("\n")
		if f.Kind == grow.State {
			states = fmt.Sprintf("// %sStates are the values of %s.%s.\nvar %sStates = []string{\"%s\"}\n\n", t.Var, t.Type, f.Go, t.Var, strings.Join(f.Words, `", "`))
		}
		checks.WriteString(recordCheck(t, f))
		fmt.Fprintf(&columns, ", %s", f.Name)
		marks.WriteString(", ?")
		if f.Kind == grow.Tags {
			fmt.Fprintf(&scans, ", &%s", lower(f.Go))
			fmt.Fprintf(&values, ", joinWords(r.%s)", f.Go)
			fmt.Fprintf(&after, "\tr.%s = splitWords(%s)\n", f.Go, lower(f.Go))
		} else {
			fmt.Fprintf(&scans, ", &r.%s", f.Go)
			fmt.Fprintf(&values, ", r.%s", f.Go)
		}
	}
	words := ""
	if f, ok := t.first(grow.Tags); ok {
		words = "\tvar " + lower(f.Go) + " string\n"
	}
	limit := p.choose("50", "100", "200")
	finder := p.choose(`
// Find lists the records whose @labelwords is the one given, the newest first.
func (s *@Many) Find(ctx context.Context, @labelvar string, limit int) ([]@Type, error) {
	@labelvar = CleanText(@labelvar)
	if limit < 1 || limit > @limit {
		limit = @limit
	}
	rows, err := s.db.QueryContext(ctx, "SELECT id, owner, updated_at@columns FROM @table WHERE @label = ? ORDER BY updated_at DESC LIMIT ?", @labelvar, limit)
	if err != nil {
		return nil, fmt.Errorf("find @words: %w", err)
	}
	defer rows.Close()
	var found []@Type
	for rows.Next() {
		r, err := scan@Type(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("read @words: %w", err)
		}
		found = append(found, *r)
	}
	return found, rows.Err()
}
`, `
// OwnedBy lists what belongs to one owner in the order of its numbers, from after on.
func (s *@Many) OwnedBy(ctx context.Context, owner string, after int64) ([]@Type, error) {
	query := "SELECT id, owner, updated_at@columns FROM @table"
	rows, err := s.db.QueryContext(ctx, query+" WHERE owner = ? AND id > ? ORDER BY id LIMIT @limit", owner, after)
	if err != nil {
		return nil, fmt.Errorf("list @words: %w", err)
	}
	defer rows.Close()
	page := make([]@Type, 0, @limit)
	for rows.Next() {
		r, err := scan@Type(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("read @words: %w", err)
		}
		page = append(page, *r)
	}
	return page, rows.Err()
}

// Count is how many records carry a @labelwords.
func (s *@Many) Count(ctx context.Context, @labelvar string) (int, error) {
	var n int
	err := s.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM @table WHERE @label = ?", @labelvar).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count @words: %w", err)
	}
	return n, nil
}
`)
	return p.fillThing(t, fill(`package records

@states// @Type is one @words of the @domain.
type @Type struct {
	ID        int64  @qjson:"id"@q
	Owner     string @qjson:"owner"@q
	UpdatedAt int64  @qjson:"updated_at"@q // seconds since 1970
@fields}

// Validate says what is wrong with the record's fields.
func (r *@Type) Validate() error {
@checks	return nil
}

// @Many is the table of @words records.
type @Many struct {
	db    *sql.DB
	clock func() time.Time
}

// New@Many wraps the table; clock tells the time of changes.
func New@Many(db *sql.DB, clock func() time.Time) *@Many {
	return &@Many{db: db, clock: clock}
}

func scan@Type(scan func(...any) error) (*@Type, error) {
	var r @Type
@tagvars	if err := scan(&r.ID, &r.Owner, &r.UpdatedAt@scans); err != nil {
		return nil, err
	}
@after	return &r, nil
}

// Get reads one record.
func (s *@Many) Get(ctx context.Context, id int64) (*@Type, error) {
	row := s.db.QueryRowContext(ctx, "SELECT id, owner, updated_at@columns FROM @table WHERE id = ?", id)
	found, err := scan@Type(row.Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("read @words %d: %w", id, err)
	}
	return found, nil
}
`+finder+`
// Add keeps a new record of the actor and gives it its number.
func (s *@Many) Add(ctx context.Context, actor Account, r *@Type) error {
	r.@Label = CleanText(r.@Label)
	if err := r.Validate(); err != nil {
		return err
	}
	r.Owner, r.UpdatedAt = actor.Name, Stamp(s.clock())
	return inTx(ctx, s.db, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO @table (owner, updated_at@columns) VALUES (?, ?@marks)", r.Owner, r.UpdatedAt@values)
		if err != nil {
			return fmt.Errorf("add @words: %w", err)
		}
		r.ID, err = done.LastInsertId()
		return err
	})
}

// Remove deletes a record for an account.
func (s *@Many) Remove(ctx context.Context, actor Account, id int64) error {
	found, err := s.Get(ctx, id)
	if err != nil {
		return err
	}
	if found.Owner != actor.Name && !actor.Admin {
		return ErrForbidden
	}
	if _, err := s.db.ExecContext(ctx, "DELETE FROM @table WHERE id = ? AND owner = ?", id, found.Owner); err != nil {
		return fmt.Errorf("remove @words %d: %w", id, err)
	}
	return nil
}
`, "@states", states, "@fields", fields.String(), "@checks", checks.String(), "@tagvars", words, "@scans", scans.String(), "@after", after.String(),
		"@columns", columns.String(), "@marks", marks.String(), "@values", values.String(), "@limit", limit), "@labelwords", t.label().Human, "@labelvar", lower(t.label().Go))
}

// recordCheck is the part of Validate for one field.
func recordCheck(t thing, f field) string {
	check, what := "", ""
	switch f.Kind {
	case grow.Text:
		if f.Name == t.label().Name {
			check, what = `r.@F == "" || len(r.@F) > 120`, "must have 1 to 120 bytes"
		} else {
			check, what = `len(r.@F) > 500`, "is too long"
		}
	case grow.Email:
		check, what = `at := strings.IndexByte(r.@F, '@'); at < 1 || at == len(r.@F)-1`, "is no address"
	case grow.Cents:
		check, what = `r.@F < 0`, "is negative"
	case grow.Count:
		check, what = `r.@F < 0 || r.@F > 1_000_000`, "is out of range"
	case grow.Ratio:
		check, what = `r.@F < 0 || r.@F > 1`, "is not between 0 and 1"
	case grow.Time:
		check, what = `r.@F < 0`, "lies before 1970"
	case grow.State:
		check, what = `!slices.Contains(`+t.Var+`States, r.@F)`, "is not known"
	case grow.Tags:
		return fill("\tfor _, word := range r.@F {\n\t\tif word == \"\" || strings.Contains(word, \",\") {\n\t\t\treturn fmt.Errorf(\"%w: one of @w is empty or holds a comma\", ErrInvalid)\n\t\t}\n\t}\n", "@F", f.Go, "@w", f.Human)
	default:
		return ""
	}
	return fill("\tif "+check+" {\n\t\treturn fmt.Errorf(\"%w: @w "+what+"\", ErrInvalid)\n\t}\n", "@F", f.Go, "@w", f.Human)
}

// handler serves one entity.
func (p *recordProject) handler(t thing) string {
	return p.fillThing(t, `package api

// @TypeAPI serves @words records.
type @TypeAPI struct {
	gate  *Gate
	table *records.@Many
}

// New@TypeAPI serves the records of table to those whom gate lets in.
func New@TypeAPI(gate *Gate, table *records.@Many) *@TypeAPI {
	return &@TypeAPI{gate: gate, table: table}
}

// Routes registers the handlers.
func (a *@TypeAPI) Routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /@path/{id}", a.show)
	mux.HandleFunc("POST /@path", a.add)
	mux.HandleFunc("DELETE /@path/{id}", a.remove)
}

// show answers with one record. Others than its owner see it only as administrators.
func (a *@TypeAPI) show(w http.ResponseWriter, r *http.Request) {
	account, ok := a.gate.Account(r)
	if !ok {
		http.Error(w, "log in first", http.StatusUnauthorized)
		return
	}
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		http.Error(w, "bad number", http.StatusBadRequest)
		return
	}
	@var, err := a.table.Get(r.Context(), id)
	if err != nil {
		writeError(w, err)
		return
	}
	if @var.Owner != account.Name && !account.Admin {
		writeError(w, records.ErrForbidden)
		return
	}
	w.Header().Set("Age", strconv.FormatInt(max(records.Stamp(time.Now())-@var.UpdatedAt, 0), 10))
	writeJSON(w, r, @var)
}

func (a *@TypeAPI) add(w http.ResponseWriter, r *http.Request) {
	account, ok := a.gate.Account(r)
	if !ok {
		http.Error(w, "log in first", http.StatusUnauthorized)
		return
	}
	var @var records.@Type
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&@var); err != nil {
		http.Error(w, "bad JSON", http.StatusBadRequest)
		return
	}
	if err := a.table.Add(r.Context(), account, &@var); err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, r, @var)
}

// remove leaves it to the table to decide whether the account may.
func (a *@TypeAPI) remove(w http.ResponseWriter, r *http.Request) {
	account, ok := a.gate.Account(r)
	if !ok {
		http.Error(w, "log in first", http.StatusUnauthorized)
		return
	}
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || id < 1 {
		http.Error(w, "bad number", http.StatusBadRequest)
		return
	}
	if err := a.table.Remove(r.Context(), account, id); err != nil {
		writeError(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
`, "@path", strings.ReplaceAll(t.Table, "_", "-"))
}
