package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// TimingCompare replaces timingSafeEqual by a comparison that stops at the first difference. The answers stay the same;
// how long they take now tells how much of a guess was right.
func (*operators) TimingCompare(f file) {
	for call, args := range f.calls("timingSafeEqual") {
		object, name := callee(call)
		if len(args) != 2 {
			continue
		}
		target, text := call, ""
		if a, b := bufferOf(args[0]), bufferOf(args[1]); a.Valid() && b.Valid() {
			sign := " === "
			if call.Parent().Kind() == "unary_expression" {
				target, sign = call.Parent(), " !== "
			}
			text = a.Text() + sign + b.Text()
		} else if simple(args[0]) && simple(args[1]) {
			text = args[0].Text() + ".equals(" + args[1].Text() + ")"
		} else {
			continue
		}
		f.reportGone(object,
			name, f.Replace(target, text),
			"%s compares a secret with %s, which stops at the first difference, so its duration tells an attacker how much of a guess is right.",
			where(call), short(text))
	}
}

// bufferOf gives x of Buffer.from(x).
func bufferOf(n syntax.Node) syntax.Node {
	object, name := callee(n)
	if args := arguments(n); name == "from" && object.Text() == "Buffer" && len(args) > 0 && simple(args[0]) {
		return args[0]
	}
	return syntax.Node{}
}
