package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestFilesAreCommitted compares what the Go types make with what the page was built from.
func TestFilesAreCommitted(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the Go sources make: go generate ./internal/page, and commit it", name)
		}
	}
}

// letter is a word of the alphabet.
type letter string

const (
	alpha letter = "alpha"
	beta  letter = "be\"ta"
)

// inner is embedded.
type inner struct {
	Both   string `json:"both"` // hidden
	Within int    `json:"within"`
}

// outer has a field of every kind.
//
// It ends a comment: */ so.
type outer struct {
	inner
	// Both lies less deep.
	Both    bool              `json:"both"`
	Absent  string            `json:"absent,omitempty"`
	Zero    time.Time         `json:"zero,omitzero"`
	Null    *float64          `json:"null"`
	Neither *float64          `json:"neither,omitempty"`
	List    []*int            `json:"list"` // of numbers
	Pair    *[2]float64       `json:"pair"`
	Pairs   [][2]int          `json:"pairs"`
	Map     map[string][]leaf `json:"map"`
	Maybe   []leaf            `json:"maybe"`
	Word    letter            `json:"word"`
	Plain   uint8
	Left    int `json:"-"`
	private int
}

type leaf struct {
	Self *leaf `json:"self"`
}

func newWriter(t *testing.T, nullable ...string) *writer {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	return &writer{
		sources: &sources{root: root, packages: map[string]*comments{}},
		names: map[reflect.Type]string{
			reflect.TypeFor[outer](): "Outer", reflect.TypeFor[leaf](): "Leaf", reflect.TypeFor[letter](): "Letter",
		},
		written:  map[reflect.Type]string{reflect.TypeFor[time.Time](): "string"},
		nullable: nullable,
		texts:    map[string]string{}, plain: map[string]string{}, done: map[reflect.Type]bool{},
	}
}

func TestTypeScript(t *testing.T) {
	got, err := newWriter(t, "Outer.maybe").file([]any{outer{private: 1, Word: alpha + beta}})
	if err != nil {
		t.Fatal(err)
	}
	want := head + `
/**
 * outer has a field of every kind.
 *
 * It ends a comment: * / so.
 */
export interface Outer {
  within: number;
  /** Both lies less deep. */
  both: boolean;
  absent?: string;
  zero?: string;
  null: number | null;
  neither?: number;
  /** of numbers */
  list: (number | null)[];
  pair: [number, number] | null;
  pairs: [number, number][];
  map: { [key: string]: Leaf[] };
  maybe: Leaf[] | null;
  word: Letter;
  Plain: number;
}

export interface Leaf {
  self: Leaf | null;
}

/** letter is a word of the alphabet. */
export type Letter = "alpha" | "be\"ta";
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What cannot be written is an error that names it, never a guess.
func TestRefused(t *testing.T) {
	type marshaler struct{ At time.Location }
	for _, test := range []struct {
		name, want string
		root       any
		change     func(*writer)
	}{
		{name: "a channel", want: "no TypeScript for chan int", root: struct{ C chan int }{}, change: func(*writer) {}},
		{name: "no name", want: "needs a name", root: inner{}, change: func(*writer) {}},
		{name: "two of one name", want: "both called Outer", root: struct {
			A outer
			B leaf
		}{}, change: func(w *writer) { w.names[reflect.TypeFor[leaf]()] = "Outer" }},
		{name: "a type of somebody else's", want: "is in no package of ours", root: marshaler{}, change: func(w *writer) {
			w.names[reflect.TypeFor[marshaler]()] = "Marshaler"
			w.names[reflect.TypeFor[time.Location]()] = "Location"
		}},
		{name: "its own JSON", want: "writes its JSON itself", root: outer{}, change: func(w *writer) {
			clear(w.written)
		}},
		{name: "a list that is not there", want: `"Outer.gone"`, root: outer{}, change: func(w *writer) {
			w.nullable = []string{"Outer.gone"}
		}},
	} {
		w := newWriter(t)
		w.names[reflect.TypeOf(test.root)] = "Root"
		if reflect.TypeOf(test.root) == reflect.TypeFor[inner]() {
			delete(w.names, reflect.TypeFor[inner]())
		}
		if reflect.TypeOf(test.root) == reflect.TypeFor[outer]() {
			w.names[reflect.TypeFor[outer]()] = "Outer"
		}
		test.change(w)
		if _, err := w.file([]any{test.root}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want an error that says %q", test.name, err, test.want)
		}
	}
}
