package grow_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/google/go-cmp/cmp"
)

func TestTextsFillNamesAndActions(t *testing.T) {
	texts := grow.ReadTexts(fstest.MapFS{"templates/shop/_file_.go.tmpl": {Data: []byte(`// _Type_ is a _words_ ` +
		`with DB_MAX_ROWS and "<% len .fields %>" fields.
type _Type_Row struct {
	//: range .fields
	_Field_ _gotype_
	//: end
}
//: define "tail"

var _, _ = New_Type_, 1_000
//: end
`)}})
	values := grow.Values{"Type": "Loan", "words": "loan"}
	values = values.With(grow.Values{"fields": []grow.Values{{"Field": "ID", "gotype": "int"},
		values.With(grow.Values{"Field": "Note", "gotype": "string"})}})
	want := "// Loan is a loan with DB_MAX_ROWS and \"2\" fields.\ntype LoanRow struct {\n\tID int\n\tNote string\n}\n"
	if diff := cmp.Diff(want, texts.Fill("shop/_file_.go", values)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("var _, _ = NewLoan, 1_000\n", texts.Fill("tail", values)); diff != "" {
		t.Error(diff)
	}
	if got := grow.FillName("shop/_file_.go", grow.Values{"file": "loan"}); got != "shop/loan.go" {
		t.Errorf("a path is %s", got)
	}
}

func TestTextsWantEveryValue(t *testing.T) {
	texts := grow.ReadTexts(fstest.MapFS{"templates/a.tmpl": {Data: []byte("_name_")}})
	for what, fill := range map[string]func(){
		"a text": func() { texts.Fill("a", grow.Values{"other": 1}) },
		"a path": func() { grow.FillName("_name_.go", grow.Values{}) },
	} {
		func() {
			defer func() {
				if fault := recover(); fault == nil || !strings.Contains(fault.(string), "name") {
					t.Errorf("%s without a value: %v", what, fault)
				}
			}()
			fill()
		}()
	}
}

func TestNames(t *testing.T) {
	got := []string{
		grow.Pascal("loan_request"), grow.Camel("loan_request"), grow.Words("loan_request"), grow.Kebab("loan_request"),
		grow.Plural("delivery"), grow.Plural("survey"), grow.Plural("branch"), grow.Plural("loan"),
	}
	want := []string{"LoanRequest", "loanRequest", "loan request", "loan-request", "deliveries", "surveys", "branches", "loans"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFieldValues(t *testing.T) {
	e := grow.Entity{Name: "loan", Fields: []grow.Field{{Name: "title", Kind: grow.Text}, {Name: "note", Kind: grow.Text},
		{Name: "tags", Kind: grow.Tags}}}
	all, first := grow.FieldValues(e, grow.Values{"Type": "Loan"}, func(i int, f grow.Field) grow.Values {
		return grow.Values{"name": f.Name, "i": i}
	})
	want := []grow.Values{
		{"Type": "Loan", "name": "title", "i": 0, "kind": "text", "firstOfKind": true},
		{"Type": "Loan", "name": "note", "i": 1, "kind": "text", "firstOfKind": false},
		{"Type": "Loan", "name": "tags", "i": 2, "kind": "tags", "firstOfKind": true},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	none := grow.Values(nil)
	firsts := grow.Values{"text": want[0], "email": none, "cents": none, "count": none, "ratio": none, "time": none, "flag": none,
		"state": none, "tags": want[2]}
	if diff := cmp.Diff(firsts, first); diff != "" {
		t.Error(diff)
	}
}
