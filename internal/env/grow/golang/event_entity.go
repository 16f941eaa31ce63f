package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// plugText is the plugin of one topic.
func (p *relayProject) plugText(t thing) string {
	var fields, refuse strings.Builder
	for _, f := range t.fields {
		fmt.Fprintf(&fields, "\t%s %s `json:%q`\n", f.Go, f.Type, f.Name)
		switch f.Kind {
		case grow.Cents, grow.Count, grow.Time:
			fmt.Fprintf(&refuse, "\tcase v.%s < 0:\n\t\treturn \"negative %s\"\n", f.Go, f.Human)
		case grow.Ratio:
			fmt.Fprintf(&refuse, "\tcase v.%s < 0 || v.%s > 1:\n\t\treturn \"%s outside of 0 to 1\"\n", f.Go, f.Go, f.Human)
		case grow.State:
			fmt.Fprintf(&refuse, "\tcase !slices.Contains([]string{\"%s\"}, v.%s):\n\t\treturn \"unknown %s\"\n", strings.Join(f.Words, `", "`), f.Go, f.Human)
		case grow.Email:
			fmt.Fprintf(&refuse, "\tcase !strings.Contains(v.%s, \"@\"):\n\t\treturn \"%s without a host\"\n", f.Go, f.Human)
		}
	}
	return p.fillThing(t, `package plugs

// @Type is what a message about a @words says.
type @Type struct {
@fields}

// refusal says why a value is not taken, "" when it is.
func (v @Type) refusal() string {
	switch {
	case v.@Label == "":
		return "empty @label"
@refuse	}
	return ""
}

// @TypePlug keeps the latest @words of each @label.
type @TypePlug struct {
	gate   sync.RWMutex
	latest map[string]@Type
	room   int
}

// New@Type makes the plugin.
func New@Type() *@TypePlug { return &@TypePlug{latest: make(map[string]@Type), room: 10_000} }

// Topic is the topic that the plugin handles.
func (p *@TypePlug) Topic() string { return "@topic" }

// Handle takes over what a message says.
func (p *@TypePlug) Handle(ctx context.Context, m relay.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var v @Type
	if err := json.Unmarshal(m.Payload, &v); err != nil {
		return fmt.Errorf("read @words of message %d: %w", m.Number, errors.Join(relay.ErrMalformed, err))
	}
	if why := v.refusal(); why != "" {
		return fmt.Errorf("refuse @words, %s: %w", why, relay.ErrMalformed)
	}
	p.gate.Lock()
	defer p.gate.Unlock()
	if _, known := p.latest[v.@Label]; !known && len(p.latest) >= p.room {
		return fmt.Errorf("keep @words: %w", relay.ErrFull)
	}
	p.latest[v.@Label] = v
	return nil
}

// Latest gives a copy of all that is known.
func (p *@TypePlug) Latest() map[string]@Type {
	p.gate.RLock()
	defer p.gate.RUnlock()
	return maps.Clone(p.latest)
}

// Sorted lists what is known by its @label.
func (p *@TypePlug) Sorted() []@Type {
	list := slices.Collect(maps.Values(p.Latest()))
	slices.SortFunc(list, func(a, b @Type) int { return strings.Compare(a.@Label, b.@Label) })
	return list
}

// Dump writes what is known, one line each in the order of the @label.
func (p *@TypePlug) Dump(to io.Writer) error {
	out := bufio.NewWriter(to)
	for _, v := range p.Sorted() {
		fmt.Fprintf(out, "%s %+v\n", v.@Label, v)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("dump @many: %w", err)
	}
	return nil
}

// Enqueue@Type sends a value through a queue. It says false when there is no room now.
func Enqueue@Type(q *relay.Queue, number uint64, v @Type, due time.Time) (bool, error) {
	payload, err := json.Marshal(v)
	if err != nil {
		return false, fmt.Errorf("write @words: %w", err)
	}
	err = q.Push(relay.Message{Number: number, Topic: "@topic", Due: due, Payload: payload})
	if errors.Is(err, relay.ErrFull) {
		return false, nil
	}
	return err == nil, err
}
`, "@fields", fields.String(), "@refuse", refuse.String())
}

func (p *relayProject) view(t thing) {
	p.add("views/"+t.File+".go", func() string {
		return p.fillThing(t, `package views

// @Many writes one page of @words values as text.
func @Many(values []plugs.@Type, page, size int) string {
	from, to := relay.Span(page, size, len(values))
	var b strings.Builder
	for _, v := range values[from:to] {
		b.WriteString("- ")
		b.WriteString(v.@Label)
		b.WriteString("\n")
	}
	if to < len(values) {
		fmt.Fprintf(&b, "and %d more\n", len(values)-to)
	}
	return b.String()
}

// First@Type is the value whose @label comes first, and whether there is one.
func First@Type(p *plugs.@TypePlug) (plugs.@Type, bool) {
	list := p.Sorted()
	if len(list) == 0 {
		return plugs.@Type{}, false
	}
	return list[0], true
}
`)
	})
}

func (p *relayProject) feed(t thing) {
	p.add("intake/"+t.File+".go", func() string {
		f, ok := t.first(grow.Count, grow.Cents, grow.Time)
		read, set := "", ""
		if ok {
			read = fill("\tamount, err := strconv.ParseInt(strings.TrimSpace(cells[1]), 10, 64)\n\tif err != nil {\n\t\treturn v, fmt.Errorf(\"@h %q: %w\", cells[1], relay.ErrMalformed)\n\t}\n", "@h", f.Human)
			set = "\tv." + f.Go + " = " + f.Type + "(amount)\n"
			if f.Type == "int64" {
				set = "\tv." + f.Go + " = amount\n"
			}
			if f.Type == "int" {
				read = fill("\tamount, err := strconv.Atoi(strings.TrimSpace(cells[1]))\n\tif err != nil {\n\t\treturn v, fmt.Errorf(\"@h %q: %w\", cells[1], relay.ErrMalformed)\n\t}\n", "@h", f.Human)
				set = "\tv." + f.Go + " = amount\n"
			}
		}
		return p.fillThing(t, `package intake

// @Type reads a @words out of a line with semicolons.
func @Type(line string) (v plugs.@Type, err error) {
	cells := strings.Split(line, ";")
	if len(cells) < 2 {
		return v, fmt.Errorf("@words with %d cells: %w", len(cells), relay.ErrMalformed)
	}
@read	v.@Label = strings.TrimSpace(cells[0])
@set	return v, nil
}

// @Many reads a stream line by line. Lines that are malformed are counted and passed over.
func @Many(from io.Reader) (values []plugs.@Type, bad int, err error) {
	in := bufio.NewScanner(from)
	for in.Scan() {
		v, err := @Type(in.Text())
		if errors.Is(err, relay.ErrMalformed) {
			bad++
			continue
		}
		if err != nil {
			return values, bad, err
		}
		values = append(values, v)
	}
	return values, bad, in.Err()
}
`, "@read", read, "@set", set)
	})
}

func (p *relayProject) plugTest(t thing) {
	p.add("plugs/"+t.File+"_test.go", func() string {
		return p.fillThing(t, `package plugs

func Test@TypePlug(t *testing.T) {
	p := New@Type()
	if p.Topic() != "@topic" {
		t.Errorf("topic %q", p.Topic())
	}
	err := p.Handle(context.Background(), relay.Message{Payload: []byte("[]")})
	if !errors.Is(err, relay.ErrMalformed) {
		t.Errorf("a list gives %v", err)
	}
	if len(p.Latest()) != 0 {
		t.Error("something was kept")
	}
}
`)
	})
}
