package rule_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

type sqlChecks struct{}

func (sqlChecks) SQLInjection(*rule.Pass) {}

type badChecks struct{}

func (badChecks) SQLInjection() {}

const description = `id: go/sql-injection
title: SQL pasted
category: injection
cwe: CWE-89
severity: high
confidence: 0.5
languages: go, c
tests: skip
explanation: It
  is wrong.
suggestion: Bind values.
-- bad/1.go --
package a
-- bad/2/b/a_test.go --
package b
-- good/1.go --
package c
`

func TestLoad(t *testing.T) {
	got, err := rule.Load("go", fstest.MapFS{"sql_injection.txtar": {Data: []byte(description)}, "x.go": {}}, sqlChecks{})
	if err != nil || len(got) != 1 || got[0].Check == nil {
		t.Fatalf("%d rules and error %v, want one rule with a check", len(got), err)
	}
	want := rule.Rule{
		ID: "go/sql-injection", Title: "SQL pasted", Category: "injection", CWE: "CWE-89", Severity: "high", Confidence: 0.5,
		Languages: []string{"go", "c"}, InTests: rule.SkipInTests, Explanation: "It is wrong.", Suggestion: "Bind values.",
		Bad:  []rule.Sample{{Source: "package a\n"}, {Path: "b/a_test.go", Source: "package b\n"}},
		Good: []rule.Sample{{Source: "package c\n"}},
	}
	if diff := cmp.Diff(want, got[0], cmpopts.IgnoreFields(rule.Rule{}, "Check")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLoadErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		file, text string
		checks     any
		want       string
	}{
		"no method":   {"sql_injection.txtar", description, struct{}{}, "sql_injection.txtar: no method has this name"},
		"no file":     {"readme.txt", "", sqlChecks{}, "go: method sqlinjection has no txtar file"},
		"no check":    {"sql_injection.txtar", description, badChecks{}, "method SQLInjection is no func(*rule.Pass)"},
		"wrong ID":    {"sqlinjection.txtar", description, sqlChecks{}, "sqlinjection.txtar: id go/sql-injection, want go/sqlinjection"},
		"unknown key": {"sql_injection.txtar", "colour: red\n", sqlChecks{}, `sql_injection.txtar:1: unknown key "colour"`},
		"policy":      {"sql_injection.txtar", strings.Replace(description, "skip", "never", 1), sqlChecks{}, `sql_injection.txtar: tests is "never"`},
		"confidence":  {"sql_injection.txtar", strings.Replace(description, "0.5", "half", 1), sqlChecks{}, "sql_injection.txtar: confidence: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rule.Load("go", fstest.MapFS{tc.file: {Data: []byte(tc.text)}}, tc.checks)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}
