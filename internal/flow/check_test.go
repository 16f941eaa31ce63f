package flow

import (
	"fmt"
	"testing"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// TestChecksAreBounded: each assignment asks what the remembered checks speak of, so there are few of them, and short ones.
func TestChecksAreBounded(t *testing.T) {
	check := func(name string, parts int) *ir.Stmt {
		x := &ir.Expr{Op: ir.Name, Text: "x"}
		for range parts {
			x = &ir.Expr{Op: ir.Both, Args: []*ir.Expr{x, {Op: ir.Name, Text: "x"}}}
		}
		return &ir.Stmt{Target: &ir.Expr{Op: ir.Name, Text: name}, Value: x}
	}
	f := &frame{}
	f.noteCheck("short", check("short", 10))
	f.noteCheck("long", check("long", maxCheck))
	if f.checks["short"] == nil || f.checks["long"] != nil {
		t.Errorf("remembered are %v", f.checks)
	}
	for i := range 2 * maxChecks {
		name := fmt.Sprint("ok", i)
		f.noteCheck(name, check(name, 1))
	}
	if len(f.checks) != maxChecks {
		t.Errorf("%d checks are remembered, at most %d should be", len(f.checks), maxChecks)
	}
	if f.noteCheck("ok0", &ir.Stmt{Target: &ir.Expr{Op: ir.Name, Text: "ok0"}, Value: &ir.Expr{Op: ir.Const}}); f.checks["ok0"] != nil {
		t.Error("a variable that was assigned something else still holds a check")
	}
}
