package golang

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// recordService is an HTTP service whose records lie in a SQL database.
func recordService() design {
	return design{
		dir: "record",
		own: []string{
			"internal/records", "internal/api", "internal/pages", "internal/export", "internal/sweep", "internal/remote",
			"internal/quote", "internal/memo", "internal/trail", "internal/limits", "internal/blobs", "internal/settings",
			"internal/notify", "internal/digest",
		},
		perFiles: 5,
		core: []string{
			"go.mod", "README.md", "internal/records/records.go", "internal/records/_file_.go", "internal/api/gate.go",
			"internal/api/_file_.go", "internal/api/gate_test.go", "main.go",
		},
		entity: []string{"internal/records/_file_.go", "internal/api/_file_.go"},
		shared: [][]string{
			{"internal/settings/settings.go"}, {"internal/trail/trail.go"}, {"internal/memo/memo.go"}, {"internal/blobs/blobs.go"},
			{"internal/limits/limits.go"}, {"internal/notify/notify.go"}, {"internal/memo/memo_test.go"}, {"internal/digest/digest.go"},
		},
		pace: 3,
		extra: []string{
			"internal/pages/_file_.go", "internal/export/_file_.go", "internal/sweep/_file_.go", "internal/remote/_file_.go",
			"internal/quote/_file_.go", "internal/records/_file__test.go",
		},
		least:  3,
		listed: "internal/api/_file_.go",
		choices: []choice{
			{"internal/records/_file_.go", "limit", []string{"50", "100", "200"}},
			{"internal/records/_file_.go", "finder", []string{"find", "owned"}},
			{"internal/pages/_file_.go", "search", []string{"matching", "newest"}},
			{"internal/sweep/_file_.go", "patience", []string{"7 * 24 * time.Hour", "30 * 24 * time.Hour", "48 * time.Hour"}},
		},
		values: recordValues,
	}
}

// recordValues are the lists of expressions between fields and columns of the database or cells of a file.
func recordValues(_ *writer, t thing) grow.Values {
	return grow.Values{
		"targets": each(t.Entity, ", ", func(f grow.Field) string {
			if f.Kind == grow.Tags {
				return "&" + grow.Camel(f.Name)
			}
			return "&r." + grow.Pascal(f.Name)
		}),
		"values": each(t.Entity, ", ", func(f grow.Field) string {
			if f.Kind == grow.Tags {
				return "joinWords(r." + grow.Pascal(f.Name) + ")"
			}
			return "r." + grow.Pascal(f.Name)
		}),
		"quotedcolumns": each(t.Entity, ", ", func(f grow.Field) string { return fmt.Sprintf("%q", f.Name) }),
		"cells":         each(t.Entity, ", ", asText),
	}
}

// asText is the expression that writes a field of r as text.
func asText(f grow.Field) string {
	field := "r." + grow.Pascal(f.Name)
	switch f.Kind {
	case grow.Cents, grow.Time:
		return "strconv.FormatInt(" + field + ", 10)"
	case grow.Count:
		return "strconv.Itoa(" + field + ")"
	case grow.Ratio:
		return "strconv.FormatFloat(" + field + ", 'f', 4, 64)"
	case grow.Flag:
		return "strconv.FormatBool(" + field + ")"
	case grow.Tags:
		return "strings.Join(" + field + ", \" \")"
	}
	return field
}
