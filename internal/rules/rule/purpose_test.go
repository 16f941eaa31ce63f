package rule_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func TestPurpose(t *testing.T) {
	for _, tc := range []struct {
		name, language, source string
		want                   []string
	}{
		{"a variable", "python", "def f():\n    a = draw()\n    token = a\n", []string{"a", "token"}},
		{"a result", "python", "def code(n):\n    return draw()\nuser.otp = code(4)\n", []string{"code", "user.otp"}},
		{"a condition", "python", "if draw() < 0.1:\n    token = 1\n", nil},
		{"another function's argument", "javascript", "const token = fetch(draw());", nil},
		{"a choice", "javascript", "const token = draw() ? a : b;", nil},
		{"a named argument", "python", "token = User(colour=draw())\n", []string{"colour"}},
		{"a key", "javascript", "const token = { color: draw() };", []string{"color"}},
		{"built up", "java", "class A { String pin() { b.append(draw()); return b.toString(); } }", []string{"pin"}},
		{"one of several", "javascript", "const token = tokens[draw()];", nil},
	} {
		var got []string
		in(t, tc.language, tc.source, func(p *rule.Pass) { got = p.Purpose(p.CallsTo("draw")[0]).To })
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string]string{
		"userToken": "_user_token_", "user.reset_token": "_user_reset_token_", "API-Key": "_api_key_", "": "_", "md5Hex": "_md5_hex_",
	} {
		if got := rule.Words(name); got != want {
			t.Errorf("Words(%q) = %q, want %q", name, got, want)
		}
	}
}
