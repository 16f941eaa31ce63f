package grow

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"strings"
	"text/template"
)

// Texts are the texts of a language's files, parsed. Each lies in a file of its own and is, as far as can be, a file of
// its language, so that an editor, a formatter and a parser can read it as it stands:
//
//	// _Type_ is one _words_ of the _domain_.
//	type _Type_ struct {
//		//: range .fields
//		_Field_ _gotype_
//		//: end
//	}
//
// A name between underscores stands for a value. It has two letters at least, of which the second is small. The rest of
// a line after "//: " is an action of text/template; the line is left out, and the blank line that may follow it (gofmt
// wants one between an action and the comment of a declaration). Where such a line has no place, the action can stand
// between <% and %>.
type Texts struct{ set *template.Template }

// Values are what the names of a text stand for: strings and numbers, flags for an if, lists of Values for a range.
type Values map[string]any

// With gives the values and more of them; of two with one name the later one counts.
func (v Values) With(more Values) Values {
	all := maps.Clone(v)
	maps.Copy(all, more)
	return all
}

var (
	textName   = regexp.MustCompile(`_([A-Za-z][a-z][A-Za-z]*)_`)
	textAction = regexp.MustCompile(`(?m)^[ \t]*//: (.*)\n\n?`)
)

// ReadTexts parses the files below the directory "templates". A .tmpl at the end of a file's name, as those of Go need
// lest they are compiled, is no part of its text's name. A text that does not parse is a mistake in this program: ReadTexts
// panics.
func ReadTexts(files fs.FS) Texts {
	set := template.New("").Delims("<%", "%>").Option("missingkey=error")
	err := fs.WalkDir(files, "templates", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		marked := textName.ReplaceAllString(string(text), "<% .$1 %>")
		marked = textAction.ReplaceAllString(marked, "<% $1 %>")
		name := strings.TrimSuffix(strings.TrimPrefix(path, "templates/"), ".tmpl")
		_, err = set.New(name).Parse(marked)
		return err
	})
	if err != nil {
		panic(fmt.Sprintf("templates: %v", err))
	}
	return Texts{set}
}

// Fill writes a text, or a block that one of them defines, with values for its names. A name without a value is a
// mistake in this program: Fill panics.
func (t Texts) Fill(name string, values Values) string {
	var b strings.Builder
	if err := t.set.ExecuteTemplate(&b, name, values); err != nil {
		panic(fmt.Sprintf("template %s: %v", name, err))
	}
	return b.String()
}

// FillName replaces the names between underscores in a short text, such as a path.
func FillName(text string, values Values) string {
	return textName.ReplaceAllStringFunc(text, func(mark string) string {
		value, ok := values[strings.Trim(mark, "_")]
		if !ok {
			panic(fmt.Sprintf("%q: %s has no value", text, mark))
		}
		return fmt.Sprint(value)
	})
}
