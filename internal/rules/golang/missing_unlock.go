package golang

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// MissingUnlock looks for a return between Lock and its Unlock that leaves the
// lock held. Functions that hand the locked state on to another one (an Unlock
// in a literal, a defer, or none at all) are left alone.
func (*checks) MissingUnlock(p *rule.Pass) {
	for _, fn := range p.Functions() {
		own(fn, func(n rule.Node) {
			if n.Kind() != "expression_statement" {
				return
			}
			x, name := method(n.NamedChild(0))
			if name != "Lock" && name != "RLock" {
				return
			}
			undo := map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}[name]
			if n.Parent().Kind() != "statement_list" || released(fn, x.Text(), undo) || retries(p, n) {
				return
			}
			lockedReturn(p, n, x.Text(), undo)
		})
	}
}

// released tells whether the unlock happens in a way that statement order does
// not show: deferred, inside a literal, or passed as a value.
func released(fn rule.Node, mu, undo string) bool {
	return rule.Within(fn.ChildByField("body"), func(n rule.Node) bool {
		x, name := selector(n)
		return n.Is("selector_expression") && name == undo && x.Text() == mu &&
			(n.Field() != "function" || n.Parent().Parent().Kind() != "expression_statement" ||
				n.Enclosing("func_literal", "function_declaration", "method_declaration") != fn ||
				n.Enclosing("defer_statement").Valid())
	})
}

// lockedReturn reports the first return that statement order shows to be
// reached with the lock held: the statements after lock, up to a plain unlock
// in the same list.
func lockedReturn(p *rule.Pass, lock rule.Node, mu, undo string) {
	var between []rule.Node
	closed := false
	for s := lock.NextSibling(); s.Valid(); s = s.NextSibling() {
		if s.Kind() == "expression_statement" && isUnlock(s.NamedChild(0), mu, undo) {
			closed = true
			break
		}
		if s.Named() {
			between = append(between, s)
		}
	}
	if !closed {
		return
	}
	for _, s := range between {
		if unlocks(s, mu, undo) && s.Kind() != "if_statement" {
			return // loops and switches that unlock are beyond statement order
		}
		if ret := heldReturn(s, mu, undo); ret.Valid() {
			p.Report(ret, "locked in line "+strconv.Itoa(lock.Line()))
			return
		}
		if s.Kind() == "if_statement" && goesOnUnlocked(s, mu, undo) {
			return
		}
	}
}

// goesOnUnlocked tells whether control may come out of an if statement with the lock released: some branch of it unlocks
// and reaches its end.
func goesOnUnlocked(s rule.Node, mu, undo string) bool {
	for ; s.Kind() == "if_statement"; s = s.ChildByField("alternative") {
		branch := s.ChildByField("consequence")
		if unlocks(s.ChildByField("initializer"), mu, undo) || unlocks(s.ChildByField("condition"), mu, undo) ||
			unlocks(branch, mu, undo) && !terminates(branch) {
			return true
		}
	}
	return unlocks(s, mu, undo) && !terminates(s)
}

// heldReturn finds a return inside s before which nothing in s unlocks.
func heldReturn(s rule.Node, mu, undo string) rule.Node {
	switch s.Kind() {
	case "return_statement":
		if handsOn(s, mu) {
			return rule.Node{}
		}
		return s
	case "if_statement":
		return rule.Either(heldReturn(s.ChildByField("consequence"), mu, undo), heldReturn(s.ChildByField("alternative"), mu, undo))
	case "block":
		for _, c := range s.Statements() {
			if c.Kind() != "if_statement" && unlocks(c, mu, undo) {
				return rule.Node{}
			}
			if r := heldReturn(c, mu, undo); r.Valid() {
				return r
			}
			if unlocks(c, mu, undo) {
				return rule.Node{}
			}
		}
	case "for_statement":
		return heldReturn(s.ChildByField("body"), mu, undo)
	}
	return rule.Node{}
}

// isUnlock tells whether n is the call that releases the lock.
func isUnlock(n rule.Node, mu, undo string) bool {
	x, name := method(n)
	return name == undo && x.Text() == mu
}

// unlocks tells whether s holds the unlock, or a call that says it does the same: one named after unlocking or releasing
// that is given the lock's owner, as its receiver or as an argument.
func unlocks(s rule.Node, mu, undo string) bool {
	owner, _, _ := strings.Cut(mu, ".")
	calls := slices.Collect(s.Find("call_expression"))
	if s.Kind() == "call_expression" {
		calls = append(calls, s)
	}
	return slices.ContainsFunc(calls, func(c rule.Node) bool {
		x, _ := method(c)
		if x.Text() == mu {
			return isUnlock(c, mu, undo)
		}
		given := x.Text() == owner || c.ChildByField("arguments").Mentions(owner)
		return given && releasing.MatchString(rule.LastName(c.ChildByField("function").Text()))
	})
}

var releasing = regexp.MustCompile(`^(?i:r?unlock|release)`)

// handsOn tells whether a return calls a method of the lock's owner or names the
// lock itself: the callee may then be the one to unlock.
func handsOn(ret rule.Node, mu string) bool {
	owner, _, _ := strings.Cut(mu, ".")
	return gotree.HasName(ret.Text(), mu) ||
		rule.Any(ret.Find("call_expression"), func(c rule.Node) bool { return c.Mentions(owner) })
}

// retries tells whether n stands in a loop without a condition, which may well
// mean to leave with the lock held.
func retries(p *rule.Pass, n rule.Node) bool {
	loop := n.Enclosing("for_statement", "func_literal", "function_declaration", "method_declaration")
	return loop.Kind() == "for_statement" && loop.NumNamed() == 1
}
