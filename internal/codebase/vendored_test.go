package codebase

import "testing"

func TestVendoredCopy(t *testing.T) {
	for _, tc := range []struct{ name, path, lang, text, want string }{
		{"jquery", "static/js/x.js", "javascript", "/*!\n * jQuery JavaScript Library v3.1.1\n * https://jquery.com/\n */\n", "jQuery"},
		{"one line", "static/x.js", "javascript", "/*! jQuery v3.1.1 | (c) jQuery Foundation */\n", "jQuery"},
		{"licence first", "public/a.js", "javascript", "/**\n * @license AngularJS v1.5.8\n * (c) Google\n */\n", "AngularJS"},
		{"css", "public/a.css", "css", "/*!\n * Bootstrap v3.3.7 (http://getbootstrap.com)\n */\n", "Bootstrap"},
		{"moment", "public/a.js", "javascript", "//! moment.js\n//! version : 2.10\n", ""},
		{"moment with its version", "public/a.js", "javascript", "//! moment.js 2.10.6\n", "moment"},
		{"at the top", "jquery.js", "javascript", "/*!\n * jQuery JavaScript Library v3.1.1\n */\n", ""},
		{"own plugin", "static/a.js", "javascript", "/* our settings for jQuery 3.1 */\nconst a = 1;\n", ""},
		{"opens with code", "static/a.js", "javascript", "run();\n/*! jQuery v3.1.1 */\n", ""},
		{"no version", "static/a.js", "javascript", "/* jQuery helpers of the shop */\n", ""},
		{"another language", "static/a.py", "python", "# jQuery v3.1.1\n", ""},
	} {
		want := tc.want
		if want != "" {
			want = "vendored: a copy of " + want
		}
		if got := vendoredCopy(tc.path, tc.lang, tc.text); got != want {
			t.Errorf("%s: %q, want %q", tc.name, got, want)
		}
	}
}

// FuzzVendoredCopy wants that no text of a stranger makes it fail.
func FuzzVendoredCopy(f *testing.F) {
	f.Add("static/a.js", "javascript", "/*! jQuery v3.1.1 */")
	f.Add("static/a.css", "css", "/*!\n * Bootstrap v3")
	f.Fuzz(func(t *testing.T, path, lang, text string) {
		vendoredCopy(path, lang, text)
		RoleIn(path, lang, []byte(text))
	})
}
