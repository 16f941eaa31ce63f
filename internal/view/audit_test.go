package view_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	viewpairs "github.com/deeprepo/deeprepo/internal/view/pairs"
)

// What `pairs audit` leaves is a run of the page: the audit, and each pair.
func TestAnAuditIsARun(t *testing.T) {
	read, err := pairs.Read(strings.NewReader(`{"task_id":"1","prompt":"add","chosen":"a+b","rejected":"a-b"}
{"task_id":"1","prompt":"add","chosen":"a+b","rejected":"a-b"}
{"prompt":[{"role":"user","content":"sub"}],"chosen":[{"role":"assistant","content":"a-b"}],"rejected":[{"role":"assistant","content":"a"}]}
`), "x.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "audit")
	dir, err := pairs.CreateAudit(path, pairs.AuditOptions{File: "/data/x.jsonl"}, "1", began)
	if err != nil {
		t.Fatal(err)
	}
	audit, err := pairs.Audit(t.Context(), read, pairs.AuditConfig{File: "x.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	if err := pairs.WriteAuditRun(dir, read, audit, ""); err != nil {
		t.Fatal(err)
	}
	dir.Close()
	h := header(t, path)
	if h.Kind != doc.Pairs || h.Status != doc.Completed || !strings.HasPrefix(h.Headline, "3 pairs audited, ") || len(h.Sections) != 1 {
		t.Errorf("%+v", h)
	}
	set := get[viewpairs.PairSet](t, path, "pairs")
	if set.Form != "code" || set.Audit == nil || set.Audit.ExactDuplicates != 1 || len(set.Rows.File) != 3 || set.Problem != "" ||
		set.Rows.ChosenChars[2] != 3 || len(set.Audit.Warnings) == 0 {
		t.Errorf("%+v", set)
	}
	for _, s := range set.Settings {
		if strings.Contains(s.Value, "/data") {
			t.Errorf("the run says where the file lay: %+v", s)
		}
	}
}
