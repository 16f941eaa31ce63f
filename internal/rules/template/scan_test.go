package template

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// told says what a scan tells of each output, in a word or two.
func told(p *page) []string {
	var all []string
	for _, o := range p.outputs {
		s := fmt.Sprint(o.line, " ", trimmed(o.expr))
		for _, w := range []struct {
			holds bool
			word  string
		}{{o.raw, "raw"}, {o.off, "off"}, {o.spot.place == inTag, "tag"}, {o.spot.place == inUnquoted, "unquoted"},
			{o.spot.place == inComment, "comment"}, {o.spot.place == inStyle, "style"}, {o.spot.attr != "", o.spot.attr},
			{o.spot.whole, "whole"}, {o.spot.script, "script"}, {o.spot.string != 0, string(o.spot.string)}} {
			if w.holds {
				s += " " + w.word
			}
		}
		all = append(all, s)
	}
	return all
}

func TestScan(t *testing.T) {
	for name, tt := range map[string]struct {
		dialect *dialect
		text    string
		want    []string
	}{
		"text and filters": {jinja, "a {{ x }}\n{{ y|safe }}{{ z|f('|safe') }}{{ n|f('a'|safe) }}",
			[]string{"1 x", "2 y|safe raw", "2 z|f('|safe')", "2 n|f('a'|safe)"}},
		"attributes": {jinja, `<a href="{{ a }}" b='/x/{{ b }}' c={{ c }} {{ d }}>{{ e }}</a>`,
			[]string{"1 a href whole", "1 b b", "1 c unquoted c whole", "1 d tag", "1 e"}},
		"behind an unquoted value": {jinja, `<p a={{ a }} b="{{ b }}">{{ c }}`, []string{"1 a unquoted a whole", "1 b b whole", "1 c"}},
		"comments":                 {jinja, "{# {{ a }} #}<!-- {{ b }} -->{{ c }}", []string{"1 b comment", "1 c"}},
		"a part without engine":    {jinja, "{% raw %}{{ a }}{% endraw %}{{ b }}{% raw c %}", []string{"1 b", "1 c raw"}},
		"escaping off": {jinja, "{% autoescape off %}{{ a }}{% autoescape on %}{{ b }}{% endautoescape %}{{ c }}{% endautoescape %}{{ d }}",
			[]string{"1 a off", "1 b", "1 c off", "1 d"}},
		"script": {ejs, "<script>\n// '<%= a %>\nvar b = '<%= b %>', c = <%= c %>, d = `<%= d %>`; " +
			"/* ' */ e = <%- e %>;\nf = /['\"]/.test(\"<%= f %>\")</script><%= g %>",
			[]string{"2 a comment script", "3 b script '", "3 c script", "3 d script `", "3 e raw script", "4 f script \"", "4 g"}},
		"a string ends with its line": {ejs, "<script>it's\n<%= a %></script>", []string{"2 a script"}},
		"data, not a script": {ejs, `<script type="text/template"><%= a %></script><style>p{<%= b %>}</style>`,
			[]string{"1 a", "1 b style"}},
		"handler": {ejs, `<p onclick="f('<%= a %>', <%= b %>)" on="<%= c %>">`,
			[]string{"1 a onclick script '", "1 b onclick script", "1 c on whole"}},
		"nothing closes": {jinja, "{{ a <b {% c", nil},
		"ERB": {erb, "<%# a %><%= b -%><%== c %><%= raw d %><%= e.html_safe %><%% f %>",
			[]string{"1 b", "1 c raw", "1 raw d raw", "1 e.html_safe raw"}},
		"Handlebars": {handlebars, "{{!-- {{a}} --}}{{{b}}}{{& c}}{{d}}{{> e}}" +
			"{{#each list}}{{{f}}}{{#if x}}{{this.g}}{{/if}}{{../h}}{{/each}}{{i}}",
			[]string{"1 b raw", "1 c raw", "1 d", "1 list.f raw", "1 list.g", "1 ../h", "1 i"}},
		"Blade": {blade, "{{-- {{ a }} --}}@{{ b }}{!! c !!}{{ d }}<?= $e ?><?php $f ?>{{{ g }}}", []string{"1 c raw", "1 d", "1 $e raw", "1 g"}},
		"JSP": {jsp, `<%-- ${a} --%><c:out value="${b}"/><c:out value="${c}" escapeXml="false"/>` +
			`<p x="<c:out value='${d}'/>">${e}<%= f %><% out.print("<b>" + g); %>`,
			[]string{"1 c raw", "1 e raw", "1 f raw", `1 "<b>" + g raw`}},
		"Go": {golang, "{{/* a */}}{{if .B}}{{.C}}{{end}}{{range .D}}{{.E | safeHTML}}{{$x := .F}}{{end}}{{.G}}",
			[]string{"1 .C", "1 .D.E | safeHTML raw", "1 .G"}},
		"Vue":       {vue, `<p v-html="a" :b="c">{{ d }}</p>`, []string{"1 a raw v-html"}},
		"Thymeleaf": {thymeleaf, `<p th:utext="${a}" th:text="${b}">[[${c}]][(${d})]</p>`, []string{"1 ${a} raw th:utext", "1 ${c}", "1 d} raw"}},
		"Pug": {pug, "h1= a\np!= b\n//- p!= c\np #{d} !{e}\ni(title!=f)\nscript.\n  var g = '#{g}', h = #{h}\np= i",
			[]string{"1 a", "2 b raw", "4 d", "4 e raw", "5 f raw title", "7 g script '", "7 h script", "8 i"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, told(scan(tt.dialect, tt.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDialectOf(t *testing.T) {
	for _, tt := range []struct{ file, language, text, want string }{
		{"a.html", "html", "<p>{% if x %}{{ y }}", "jinja"}, {"a.html", "html", "<p>{{ y|safe }}", "jinja"},
		{"a.html", "html", "<p>{{ y }}", "html"}, {"templates/a.html", "html", "<p>{{ y }}", "jinja"},
		{"templates/a.html", "html", `<p v-if="x">{{ y }}`, "vue"}, {"a.html", "html", `<div ng-app>{{ y }}`, "vue"},
		{"a.html", "html", "{{#each x}}", "handlebars"}, {"a.html", "html", "{{ .X }}", "go"}, {"a.html", "html", `<p th:text="x">`, "thymeleaf"},
		{"a.html", "html", "<%- include('x') %>", "ejs"}, {"a.html", "html", "<%= x %>", "html"}, {"a.php", "php", "<?= $x ?>", ""},
		{"a.blade.php", "php", "{{ $x }}", "blade"}, {"views/a.erb", "erb", "<p><%= x %>", "erb"}, {"a.conf.erb", "erb", "user = <%= x %>", ""},
		{"a.tmpl", "template", "<p>{{ .X }}", "go"}, {"a.tmpl", "template", "x = {{ .X }}", ""}, {"a.tpl", "template", "<p>{{!x}}", "bottle"},
		{"a.js", "javascript", "{{ x|safe }}", ""},
	} {
		got := ""
		if d := dialectOf(tt.file, tt.language, tt.text); d != nil {
			got = d.name
		}
		if got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.file, tt.text, got, tt.want)
		}
	}
	if !dialectOf("views/a.erb", "erb", "<p><%= x %>").bare || dialectOf("app/views/a/b.html.erb", "erb", "<p><%= x %>").bare {
		t.Error("Sinatra's templates escape nothing, those of Rails everything")
	}
}

func TestJudge(t *testing.T) {
	p := &page{dialect: jinja, loops: loops("{% for c in comments %}{% for k, o in post.tags %}")}
	for expr, want := range map[string]trust{
		"comment.body": users, "c": users, "c.when_text": users, "post.content": stored, "product.name": stored, "product.description": unknown,
		"request.args.get('q')": sent, "request.args.get('q') == 1": unknown, "'a' if x else y": unknown, "comment.body or ''": users,
		"x ? comment.body : ''": users, "comment.id": unknown, "comment.body_html": unknown, "sanitize(comment.body)": unknown,
		"nl2br(comment.body)": users, "comment.body|upper|safe": users, "comment.body|markdown|safe": unknown, "post.subjects": unknown,
		"'<b>' + user.name + '</b>'": users, "currentUser.name": users, "user[1]": users, "name": stored,
		"content": unknown, "_('comment')": unknown,
		"settings.name": unknown, "params[:q]": sent, "$_GET['q']": sent, "": unknown, "((((((((((x))))))))))": unknown, "o": unknown,
	} {
		if got := p.judge(expr); got != want {
			t.Errorf("%q: %d, want %d", expr, got, want)
		}
	}
}

func TestScripts(t *testing.T) {
	text := "<p>é {{ x }}</p>\n<script>\nf('{{ a }}'); {% if b %}g(){% endif %}\n" +
		"</script><script lang=\"ts\">h()</script>\n<script type=\"text/x\">no()</script>\n"
	got := Scripts("a.html", "html", []byte(text))
	if len(got) != 2 {
		t.Fatalf("%q", got)
	}
	for language, want := range map[string]string{"javascript": "f('_______');           g()           ", "typescript": "h()"} {
		all := string(got[language])
		if len(all) != len(text) || strings.Count(all, "\n") != strings.Count(text, "\n") || !strings.Contains(all, want) ||
			strings.Contains(all, "no()") || strings.Contains(all, "<p>") {
			t.Errorf("%s: %q", language, all)
		}
	}
	if Scripts("a.py", "python", []byte("<script>f()</script>")) != nil {
		t.Error("Python has no scripts")
	}
}

// TestHostileTextIsLinear gives texts full of what opens and never closes.
func TestHostileTextIsLinear(t *testing.T) {
	for _, piece := range []string{"{{", "<%", "{{ a }} {% ", "<a b=", "<script>", "<c:out value=\"", "<x:y ", "{% autoescape off %}",
		"{!!", "'", "`", "<a href='{{",
		"{{#each a}}", "[(${", "${", "for x in y ", "<a onclick=\"'{{ a }}", "@Html.Raw(", "{{ a|", "{{ (((((", "<% out.print((("} {
		text := strings.Repeat(piece, 100_000/len(piece))
		for _, d := range []*dialect{jinja, twig, erb, ejs, handlebars, blade, jsp, golang, thymeleaf, freemarker, razor,
			vue, svelte, pug, haml} {
			began := time.Now()
			p := scan(d, text)
			for _, o := range p.outputs {
				p.judge(o.expr)
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("%s: %q takes %v", d.name, piece, took)
			}
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("<a href=\"{{ x|safe }}\">{% autoescape off %}{{ y }}</a><script>var a = '{{ b }}';</script>")
	f.Add("<%= raw x %><%- y %>{{{z}}}{!! a !!}<c:out value=\"${x}\" escapeXml=\"false\"/>")
	f.Add("p!= x\nscript.\n  a = `#{b}`\n{{#each a}}{{b}}{{/each}}<!-- -->")
	f.Fuzz(func(t *testing.T, text string) {
		lines := 1 + strings.Count(text, "\n")
		for _, d := range []*dialect{jinja, twig, bottle, erb, sinatra, ejs, handlebars, blade, jsp, golang, thymeleaf, freemarker, razor, vue,
			svelte, astro, pug, haml, nothing} {
			p := scan(d, text)
			for _, o := range p.outputs {
				if o.line < 1 || o.line > lines {
					t.Errorf("%s: line %d of %d", d.name, o.line, lines)
				}
				p.judge(o.expr)
			}
			for _, b := range p.scripts {
				if b.from > b.to || b.to > len(text) {
					t.Errorf("%s: script %d-%d of %d", d.name, b.from, b.to, len(text))
				}
			}
		}
		if got := Scripts("a.html", "html", []byte(text)); got["javascript"] != nil && len(got["javascript"]) != len(text) {
			t.Error("a script's text moved")
		}
	})
}
