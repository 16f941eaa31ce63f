// Package samplefile reads the files that describe a rule, an operator or a policy: a header of keys and values, then samples.
//
// A file is a txtar archive. Its comment is the header, one "key: value" a line; a value goes on over lines that are
// indented by two spaces, and the line breaks count as one space each:
//
//	id: go/self-comparison
//	explanation: Both sides are the same expression, so the result never
//	  depends on the data.
//	-- bad/1.go --
//	package a
//	-- good/1/shop/cart_test.go --
//	package shop
//
// A sample is named by its kind and number. A sample whose path matters has the path after the number, and one made of
// several files has several paths under one number. The ending of "bad/1.go" is there for editors alone.
//
// It knows no key and no kind: callers say which there may be, and anything else is an error with file and line.
package samplefile

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// Form says what a file may hold.
type Form struct {
	Keys     []string // that every file has, with a value
	Optional []string // that a file may have beside them
	Kinds    []string // of samples
}

// File is one parsed file.
type File struct {
	Header  map[string]string
	Samples []Sample // in the file's order
}

// Sample is one file of a sample.
type Sample struct {
	Kind   string
	Number int    // from 1; a kind's numbers never fall, and equal ones have different paths
	Path   string // slash-separated and inside the sample's directory, "" for a sample without a path of its own
	Text   string // ends with a newline unless it is empty
}

// Of gives the samples of one kind, in the file's order.
func (f File) Of(kind string) []Sample {
	return slices.DeleteFunc(slices.Clone(f.Samples), func(s Sample) bool { return s.Kind != kind })
}

// Parse reads a file. Its errors begin with name and a line: "sql_injection.txtar:3: ".
func Parse(name string, text []byte, form Form) (File, error) {
	archive := txtar.Parse(text)
	header, err := parseHeader(name, string(archive.Comment), form)
	if err != nil {
		return File{}, err
	}
	out := File{Header: header}
	line := 1 + strings.Count(string(archive.Comment), "\n")
	for _, f := range archive.Files {
		s, err := parseSample(f, form, out.Samples)
		if err != nil {
			return File{}, fmt.Errorf("%s:%d: sample %q: %w", name, line, f.Name, err)
		}
		out.Samples = append(out.Samples, s)
		line += 1 + strings.Count(s.Text, "\n")
	}
	return out, nil
}

func parseHeader(name, comment string, form Form) (map[string]string, error) {
	header := map[string]string{}
	key := ""
	for i, line := range strings.Split(comment, "\n") {
		fail := func(format string, args ...any) (map[string]string, error) {
			return nil, fmt.Errorf("%s:%d: %s", name, i+1, fmt.Sprintf(format, args...))
		}
		if strings.TrimSpace(line) == "" {
			key = "" // a value does not go on over an empty line
			continue
		}
		if more, ok := strings.CutPrefix(line, "  "); ok {
			if key == "" {
				return fail("text without a key: %q", line)
			}
			header[key] = strings.TrimSpace(header[key] + " " + strings.TrimSpace(more))
			continue
		}
		found, value, ok := strings.Cut(line, ":")
		if !ok || strings.ContainsAny(found, " \t") || strings.TrimLeft(value, " ") == value && strings.TrimSpace(value) != "" {
			return fail("want \"key: value\", or a value that goes on after two spaces; got %q", line)
		}
		if !slices.Contains(form.Keys, found) && !slices.Contains(form.Optional, found) {
			return fail("unknown key %q", found)
		}
		if _, twice := header[found]; twice {
			return fail("key %q stands here a second time", found)
		}
		key = found
		header[key] = strings.TrimSpace(value)
	}
	for _, k := range form.Keys {
		if header[k] == "" {
			return nil, fmt.Errorf("%s:1: key %q has no value", name, k)
		}
	}
	return header, nil
}

func parseSample(f txtar.File, form Form, before []Sample) (Sample, error) {
	kind, rest, _ := strings.Cut(f.Name, "/")
	first, own, _ := strings.Cut(rest, "/")
	number := first
	if own == "" {
		number = strings.TrimSuffix(first, path.Ext(first))
	}
	s := Sample{Kind: kind, Path: own, Text: string(f.Data)}
	var err error
	if s.Number, err = strconv.Atoi(number); err != nil || s.Number < 1 || number != strconv.Itoa(s.Number) || !fs.ValidPath(f.Name) {
		return s, fmt.Errorf("want a name like %s/1.go or %s/1/path/to/file.go", kind, kind)
	}
	if !slices.Contains(form.Kinds, kind) {
		return s, fmt.Errorf("unknown kind %q", kind)
	}
	for _, b := range before {
		if b.Kind != kind || b.Number < s.Number {
			continue
		}
		if b.Number > s.Number {
			return s, fmt.Errorf("stands after number %d", b.Number)
		}
		if b.Path == s.Path || b.Path == "" || s.Path == "" {
			return s, fmt.Errorf("number %d stands here a second time", s.Number)
		}
	}
	return s, nil
}
