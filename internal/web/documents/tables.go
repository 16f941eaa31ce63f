package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// tables is the file of the names that the program and the page both know.
func tables() []byte {
	extensions, aliases := map[string]string{}, map[string]string{}
	for _, l := range language.All() {
		for _, e := range l.Extensions {
			extensions[e] = l.Name
		}
		for _, a := range l.Aliases {
			aliases[a] = l.Name
		}
	}
	severities := taxonomy.Severities()
	for i, s := range severities {
		severities[i] = literal(s)
	}
	return []byte(head + table("extensions", "Languages of files, by their extension in lower case.", extensions) +
		table("aliases", "Languages by what people call them, too.", aliases) +
		"\n/** Severities of findings, from the worst to the mildest. */\n" +
		"export const severities: readonly string[] = [" + strings.Join(severities, ", ") + "];\n")
}

// widest is the width of a table's line, in bytes.
const widest = 140

var bare = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// table writes a constant that maps names to names.
func table(name, comment string, rows map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n/** %s */\nexport const %s: { readonly [name: string]: string } = {\n", comment, name)
	line := " "
	for _, key := range slices.Sorted(maps.Keys(rows)) {
		value := literal(rows[key])
		if !bare.MatchString(key) {
			key = literal(key)
		}
		row := fmt.Sprintf(" %s: %s,", key, value)
		if len(line)+len(row) > widest {
			b.WriteString(line + "\n")
			line = " "
		}
		line += row
	}
	return b.String() + line + "\n};\n"
}
