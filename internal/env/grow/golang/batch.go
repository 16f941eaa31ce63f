package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// batchImport takes files out of an inbox, checks their lines, keeps them and writes reports.
func batchImport() design {
	return design{
		dir:      "batch",
		own:      []string{"batch", "rows", "ledger", "paper", "ship", "options", "merge", "archive"},
		perFiles: 4,
		core: []string{
			"go.mod", "README.md", "batch/batch.go", "batch/inbox.go", "batch/journal.go", "rows/_file_.go",
			"batch/batch_test.go", "cmd/import/main.go",
		},
		entity: []string{"rows/_file_.go"},
		shared: [][]string{
			{"ledger/ledger.go", "ledger/_file_.go"}, {"paper/paper.go", "paper/_file_.go"}, {"options/options.go"}, {"ship/ship.go"},
			{"archive/archive.go"}, {"paper/paper_test.go"},
		},
		pace:   2,
		extra:  []string{"merge/_file_.go", "rows/_file__test.go", "ledger/_file_.go", "paper/_file_.go"},
		least:  2,
		listed: "rows/_file_.go",
		values: batchValues,
	}
}

// batchValues are the lists of expressions between fields and columns of the ledger or cells of a file.
func batchValues(w *writer, t thing) grow.Values {
	rest := grow.Entity{Fields: t.Fields[1:]}
	return grow.Values{
		"kept": w.planned[grow.FillName("ledger/_file_.go", t.values)],
		"targets": each(t.Entity, ", ", func(f grow.Field) string {
			if f.Kind == grow.Tags {
				return "&words"
			}
			return "&r." + grow.Pascal(f.Name)
		}),
		"values": each(t.Entity, ", ", func(f grow.Field) string {
			if f.Kind == grow.Tags {
				return "strings.Join(r." + grow.Pascal(f.Name) + ", \" \")"
			}
			return "r." + grow.Pascal(f.Name)
		}),
		"same": each(rest, " &&\n\t\t", func(f grow.Field) string {
			name := grow.Pascal(f.Name)
			if f.Kind == grow.Tags {
				return "slices.Equal(a." + name + ", b." + name + ")"
			}
			return "a." + name + " == b." + name
		}),
		"cells": each(t.Entity, ", ", func(f grow.Field) string {
			if f.Kind == grow.Tags {
				return `"first second"`
			}
			return fmt.Sprintf("%q", strings.ReplaceAll(strings.Trim(sample(f), `"`), "_", ""))
		}),
	}
}
