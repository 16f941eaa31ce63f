package samplefile

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
)

// Bound is a file with the method that does what the file describes.
type Bound[F any] struct {
	File
	Base string // of the file's name: "sql_injection.txtar"
	Do   F
}

// Bind parses the txtar files of a directory, sorted by name, and finds the method of each: what is named
// "go/sql-injection" of language "go" stands in sql_injection.txtar, and belongs to the exported method of that name
// without underscores and in any case, SQLInjection. key is the header's key of the name; it joins the form's keys.
//
// The error joins all that is wrong: a file that does not parse or has another name, a file without a method, a method
// without a file or one that is no F.
func Bind[F any](language string, dir fs.FS, key string, form Form, methods any) ([]Bound[F], error) {
	names, err := fs.Glob(dir, "*.txtar")
	if err != nil {
		return nil, err
	}
	form.Keys = append([]string{key}, form.Keys...)
	var failed []error
	byName := map[string]F{}
	value := reflect.ValueOf(methods)
	for i := range value.NumMethod() {
		name := value.Type().Method(i).Name
		do, fits := value.Method(i).Interface().(F)
		if !fits {
			failed = append(failed, fmt.Errorf("%s: method %s is no %T", language, name, do))
		}
		byName[strings.ToLower(name)] = do
	}
	var out []Bound[F]
	for _, base := range names {
		text, err := fs.ReadFile(dir, base)
		if err != nil {
			return nil, err
		}
		file, err := Parse(base, text, form)
		stem := strings.TrimSuffix(base, ".txtar")
		if want := language + "/" + strings.ReplaceAll(stem, "_", "-"); err == nil && file.Header[key] != want {
			err = fmt.Errorf("%s: %s %s, want %s by the file's name", base, key, file.Header[key], want)
		}
		method := strings.ReplaceAll(stem, "_", "")
		do, known := byName[method]
		if !known {
			err = errors.Join(err, fmt.Errorf("%s: no method has this name", base))
		}
		delete(byName, method)
		failed = append(failed, err)
		out = append(out, Bound[F]{file, base, do})
	}
	for method := range byName {
		failed = append(failed, fmt.Errorf("%s: method %s has no txtar file", language, method))
	}
	return out, errors.Join(failed...)
}
