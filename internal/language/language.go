// Package language is the only table of the languages that files are written in: their names, the names of their files,
// and what deeprepo can do with each. How a file's text decides (a C++ header, a #! line) is for the reader of the file.
package language

import (
	"path"
	"slices"
	"strings"
)

// Unknown is the language of a text that no row names.
const Unknown = "text"

// Language is one row. Extensions, names and aliases are lower case; extensions have no dot.
type Language struct {
	Name       string   `json:"name"`                 // "go", "python"
	Extensions []string `json:"extensions,omitempty"` // no extension has two languages
	Files      []string `json:"files,omitempty"`      // base names, which count before extensions
	Variants   bool     `json:"-"`                    // files called like one of Files with any ending are of it, too: Dockerfile.web
	// Interpreters are the programs of #! lines, without their versions.
	Interpreters []string `json:"interpreters,omitempty"`
	Aliases      []string `json:"aliases,omitempty"` // what people call it, too
	// Family is the language whose files this one's files call and are called by. Defaults to Name.
	Family string `json:"family,omitempty"`
	// Data says that such files are documents or data, not source code.
	Data bool `json:"-"`
	// Hash says that # begins its comments. Where it does, // does not, but in PHP.
	Hash bool `json:"-"`
	// Grammar is its number in package syntax's module, from 1. Defaults to none: such files are not parsed.
	Grammar int `json:"-"`
	// Unparsed are those of the Extensions that are not read by static rules: a dialect the grammar does not know.
	Unparsed []string `json:"-"`
	// Planted is the one extension, with its dot and as written, of files that codebases are grown of and defects are
	// planted into. Defaults to none.
	Planted string `json:"-"`
}

var (
	byExtension   = index(func(l Language) []string { return l.Extensions })
	byFile        = index(func(l Language) []string { return l.Files })
	byInterpreter = index(func(l Language) []string { return l.Interpreters })
	byAlias       = index(func(l Language) []string { return l.Aliases })
	byName        = index(func(l Language) []string { return []string{l.Name} })
)

func index(keys func(Language) []string) map[string]*Language {
	m := map[string]*Language{}
	for i := range table {
		for _, k := range keys(table[i]) {
			m[k] = &table[i]
		}
	}
	return m
}

// All lists every language; the page's tables are made of it.
func All() []Language { return slices.Clone(table) }

// OfExtension is the name of the language whose files end like that, "" for none. The extension is lower case and has no
// dot.
func OfExtension(extension string) string { return name(byExtension[extension]) }

// OfFile is the name of the language of files that are called like that, "" for none. The name is lower case.
func OfFile(base string) string { return name(byFile[base]) }

// OfVariant is the name of the language of files that are called like one of its Files, with an ending that is of no
// language: "dockerfile.web". The name is lower case.
func OfVariant(base string) string {
	stem, _, _ := strings.Cut(base, ".")
	if l := byFile[stem]; l != nil && l.Variants {
		return l.Name
	}
	return ""
}

// OfInterpreter is the name of the language that a program runs, "" for none.
func OfInterpreter(program string) string { return name(byInterpreter[program]) }

// Proper is what the table calls a language that people call so; a word that it does not know stays.
func Proper(word string) string {
	if l := byAlias[word]; l != nil {
		return l.Name
	}
	return word
}

// Called is the language of that name, or that people call so, by another name, an extension or an interpreter; "" for none. The word
// is lower case.
func Called(word string) string {
	for _, by := range []map[string]*Language{byName, byAlias, byExtension, byInterpreter} {
		if l := by[word]; l != nil {
			return l.Name
		}
	}
	return ""
}

// Extension is the usual ending of a language's files, without its dot, and the language's own name where it has none.
func Extension(language string) string {
	if l := byName[language]; l != nil && len(l.Extensions) > 0 {
		return l.Extensions[0]
	}
	return language
}

// Source says whether files of a language are source code, rather than documents or data.
func Source(language string) bool {
	l := byName[language]
	return l != nil && !l.Data
}

// Family is the language whose files a language's files call and are called by.
func Family(language string) string {
	if l := byName[language]; l != nil && l.Family != "" {
		return l.Family
	}
	return language
}

// Parsed is the language by which static rules parse a file of this name, "" when no grammar is at hand for it.
func Parsed(file string) string {
	extension := strings.TrimPrefix(strings.ToLower(path.Ext(file)), ".")
	l := byExtension[extension]
	if l == nil || l.Grammar == 0 || slices.Contains(l.Unparsed, extension) {
		return ""
	}
	return l.Name
}

// Read is the language by which static rules read a file of this name: the one that it is parsed in, or one without a
// grammar, whose files are read as text. "" is for a name that says nothing and for a dialect that its grammar does not know.
func Read(file string) string {
	if l := Parsed(file); l != "" {
		return l
	}
	base := strings.ToLower(path.Base(file))
	l := byFile[base]
	if l == nil {
		l = byExtension[strings.TrimPrefix(path.Ext(base), ".")]
	}
	if l == nil {
		return OfVariant(base)
	}
	if l.Grammar != 0 {
		return ""
	}
	return l.Name
}

// Planted is the language in which defects are planted into a file of this name, "" for none. Case counts.
func Planted(file string) string {
	extension := path.Ext(file)
	if l := byExtension[strings.TrimPrefix(extension, ".")]; l != nil && extension != "" && l.Planted == extension {
		return l.Name
	}
	return ""
}

// Grown lists the languages that codebases are grown in and defects are planted into.
func Grown() []string {
	var names []string
	for _, l := range table {
		if l.Planted != "" {
			names = append(names, l.Name)
		}
	}
	return names
}

// Grammars lists the languages that have one, in the order of their numbers.
func Grammars() []string { return slices.Clone(grammars) }

// Parses reports a language that has a grammar.
func Parses(language string) bool { return byName[language] != nil && byName[language].Grammar > 0 }

var grammars = func() []string {
	var names []string
	for _, l := range slices.SortedFunc(slices.Values(table), func(a, b Language) int { return a.Grammar - b.Grammar }) {
		if l.Grammar > 0 {
			names = append(names, l.Name)
		}
	}
	return names
}()

func name(l *Language) string {
	if l == nil {
		return ""
	}
	return l.Name
}

// Comments tells which marks begin comments to the end of a line in a language: #, and //.
func Comments(language string) (hash, slashes bool) {
	l := byName[language]
	hash = l != nil && l.Hash
	return hash, !hash || language == "php"
}
