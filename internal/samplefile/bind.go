package samplefile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
)

// Bound is a file with the method that does what the file describes.
type Bound[F any] struct {
	File
	Name string // of the file, without its ending
	Do   F
}

// Bind parses the txtar files of a directory, sorted by name, and finds the method of each: SQLConcat for
// sql_concat.txtar. The error joins what is wrong: a file that does not parse, a file without a method, an exported
// method without a file, a method that is no F.
func Bind[F any](dir fs.FS, form Form, methods any) ([]Bound[F], error) {
	names, err := fs.Glob(dir, "*.txtar")
	if err != nil {
		return nil, err
	}
	var failed []error
	found := map[string]reflect.Method{}
	for i := range reflect.TypeOf(methods).NumMethod() {
		m := reflect.TypeOf(methods).Method(i)
		found[strings.ToLower(m.Name)] = m
	}
	var out []Bound[F]
	for _, name := range names {
		b := Bound[F]{Name: strings.TrimSuffix(name, path.Ext(name))}
		text, err := fs.ReadFile(dir, name)
		if err == nil {
			b.File, err = Parse(name, text, form)
		}
		if err != nil {
			failed = append(failed, err)
		}
		key := strings.ReplaceAll(b.Name, "_", "")
		m, known := found[key]
		delete(found, key)
		if !known {
			failed = append(failed, fmt.Errorf("%s: %T has no method of that name", name, methods))
			continue
		}
		do, fits := reflect.ValueOf(methods).Method(m.Index).Interface().(F)
		if !fits {
			failed = append(failed, fmt.Errorf("%s: method %s is a %s, want a %T", name, m.Name, m.Type, b.Do))
		}
		b.Do = do
		out = append(out, b)
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		failed = append(failed, fmt.Errorf("method %s of %T has no file", found[key].Name, methods))
	}
	return out, errors.Join(failed...)
}
