package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// setting is a value that the configuration of a web framework is given.
type setting struct {
	name  string // "DEBUG"
	node  rule.Node
	value rule.Node
}

// What people call configuration that never runs in production.
var ownMachine = regexp.MustCompile(`_(dev|devel|develop|development|developer|local|localhost|test|tests|testing|debug|ci|sandbox|demo|` +
	`example|sample|base|common|default|defaults)_`)

// settings gives what the file sets of a framework's configuration, in effect wherever the program runs: in a module or a class
// of settings, in app.config. What a condition guards, what is set twice, and what is for developers alone is left out.
func settings(p *rule.Pass) []setting {
	return rule.Memo(p, "python.settings", func() []setting {
		if ownMachine.MatchString(rule.Words(p.Path)) {
			return nil
		}
		var all []setting
		seen := map[string]int{}
		add := func(name string, node, value rule.Node) {
			if guarded(node) {
				value = rule.Node{}
			}
			seen[name]++
			all = append(all, setting{name, node, value})
		}
		module := isSettings(p)
		for _, a := range p.Assignments(p.Tree.Root()) {
			if name := settingName(p, a, module); name != "" && !a.Augmented {
				add(name, a.Node, a.Value)
			}
		}
		for _, call := range p.MethodCalls("update", "from_mapping") {
			if strings.HasSuffix(p.Callee(call), "config.update") || strings.HasSuffix(p.Callee(call), "config.from_mapping") {
				updated(p, call, add)
			}
		}
		last := lastLoad(p)
		return slices.DeleteFunc(all, func(s setting) bool { return seen[s.name] > 1 || !s.value.Valid() || s.node.Start() < last })
	})
}

// settingName is what an assignment sets, "" where it is no setting.
func settingName(p *rule.Pass, a rule.Assignment, module bool) string {
	switch t := a.Target; t.Kind() {
	case "identifier":
		if t.Text() != strings.ToUpper(t.Text()) || p.Function(a.Node).Valid() {
			return ""
		}
		class := p.Class(a.Node)
		if !class.Valid() && module || class.Valid() && settingsClass(class.ChildByField("name").Text()) {
			return t.Text()
		}
	case "subscript":
		if object := t.ChildByField("value"); strings.HasSuffix(object.Text(), "config") && object.Is("attribute", "identifier") {
			return lastWord(t)
		}
	case "attribute":
		if t.ChildByField("attribute").Text() == "debug" && rule.OneOf(t.ChildByField("object").Text(), "app", "application") {
			return "DEBUG"
		}
	}
	return ""
}

// settingsClass tells a class whose fields an application is configured with, by its name.
func settingsClass(name string) bool {
	words := rule.Words(name)
	return (strings.HasSuffix(words, "_config_") || strings.HasSuffix(words, "_settings_")) && !ownMachine.MatchString(words)
}

// updated gives what app.config.update(...) sets, by keywords or by a dictionary.
func updated(p *rule.Pass, call rule.Node, add func(name string, node, value rule.Node)) {
	for c := range call.ChildByField("arguments").NamedChildren() {
		switch c.Kind() {
		case "keyword_argument":
			add(c.ChildByField("name").Text(), c, c.ChildByField("value"))
		case "dictionary":
			for pair := range c.NamedChildren() {
				if key, _, ok := p.String(pair.ChildByField("key")); ok {
					add(key, pair, pair.ChildByField("value"))
				}
			}
		}
	}
}

// isSettings tells whether the file is a module of settings, by its name and by what else it sets.
func isSettings(p *rule.Pass) bool {
	words := rule.Words(p.Path)
	named := strings.Contains(words, "_settings_") || strings.HasSuffix(words, "_config_py_") || strings.HasSuffix(words, "_production_py_")
	return named && rule.Any(p.Tree.Root().NamedChildren(), func(n rule.Node) bool {
		if n = n.NamedChild(0); !n.Is("assignment") {
			return false
		}
		return rule.OneOf(n.ChildByField("left").Text(), "INSTALLED_APPS", "ROOT_URLCONF", "MIDDLEWARE", "WSGI_APPLICATION", "ALLOWED_HOSTS",
			"DATABASES", "SECRET_KEY", "SQLALCHEMY_DATABASE_URI", "TEMPLATES", "STATIC_URL", "HOST", "PORT", "DATABASE_URL")
	})
}

// guarded tells whether a condition decides about n. That the file is run as a program is none.
func guarded(n rule.Node) bool {
	return rule.Any(rule.Around(n, "if_statement", "try_statement"), func(up rule.Node) bool {
		return !strings.HasPrefix(up.ChildByField("condition").Text(), "__name__")
	})
}

// lastLoad is where other settings are last read over those before: a module of them, or the environment.
func lastLoad(p *rule.Pass) int {
	last := 0
	for _, imp := range p.Nodes("wildcard_import") {
		last = max(last, imp.Start())
	}
	for _, call := range p.MethodCalls("from_envvar", "from_prefixed_env", "from_pyfile", "from_object") {
		last = max(last, call.Start())
	}
	return last
}

// reportSettings reports the settings of the names that have the value.
func reportSettings(p *rule.Pass, value string, names ...string) {
	for _, s := range settings(p) {
		if s.value.Text() == value && rule.OneOf(s.name, names...) {
			p.Report(s.node, "")
		}
	}
}
