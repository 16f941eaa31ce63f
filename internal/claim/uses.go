package claim

import (
	"context"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// use is a place where an identifier stands.
type use struct {
	line int
	role role
}

type role uint8

const (
	reads role = iota
	calls
	binds   // is assigned to, declared, a parameter
	imports // is brought in from elsewhere
	member  // stands behind a dot, or names a keyword argument: its owner is unknown without types
)

// file is what the code graph does not say of a file: every place of every name, local ones too, and what does not run.
type file struct {
	uses map[string][]use
	// comments are byte spans of text that does not run: comments, and strings that stand alone.
	comments [][2]int
	broken   bool // the text did not parse whole
	star     bool // it imports names that it does not list
}

var bindings = []string{"assignment", "augmented_assignment", "variable_declarator", "const_spec", "var_spec", "short_var_declaration",
	"assignment_expression", "assignment_statement", "for_statement", "for_in_clause", "range_clause", "parameter_declaration", "as_pattern",
	"named_expression", "field_declaration", "enhanced_for_statement", "catch_formal_parameter", "formal_parameter", "spread_parameter"}

var lists = []string{"parameters", "formal_parameters", "parameter_list", "lambda_parameters", "default_parameter", "typed_parameter",
	"typed_default_parameter", "list_splat_pattern", "dictionary_splat_pattern", "required_parameter", "optional_parameter", "pattern_list",
	"tuple_pattern", "array_pattern", "object_pattern", "global_statement", "nonlocal_statement"}

var importing = []string{"import_statement", "import_from_statement", "import_declaration", "import_spec", "import_clause",
	"import_specifier",
	"namespace_import", "namespace_use_clause", "future_import_statement", "package_clause", "package_declaration"}

// file gives what is known of the file at path; nil where its language has no grammar or it cannot be parsed.
func (b *Base) file(ctx context.Context, path string) *file {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok := b.files[path]; ok {
		return f
	}
	f := b.parse(ctx, path)
	if ctx.Err() == nil {
		b.files[path] = f
	}
	return f
}

func (b *Base) parse(ctx context.Context, path string) *file {
	info, ok := b.code.File(path)
	if !ok || b.parser == nil {
		return nil
	}
	parser, err := b.parser()
	if err != nil || !slices.Contains(parser.Languages(), info.Language) {
		return nil
	}
	text, _ := b.code.Text(path)
	tree, err := parser.Parse(ctx, info.Language, []byte(text))
	if err != nil {
		return nil
	}
	f := &file{uses: map[string][]use{}, broken: tree.HasError() || tree.Truncated()}
	tree.Root().Walk(func(n syntax.Node) bool {
		kind := n.Kind()
		switch {
		case !n.Named():
			return false
		case strings.Contains(kind, "comment"), kind == "expression_statement" && n.NumNamed() == 1 && n.NamedChild(0).Kind() == "string":
			f.comments = append(f.comments, [2]int{n.Start(), n.End()})
			return false
		case kind == "wildcard_import" || kind == "asterisk":
			f.star = true
		case strings.HasSuffix(kind, "identifier") || kind == "constant" || kind == "name" && n.NumNamed() == 0:
			if !names(n) {
				f.uses[n.Text()] = append(f.uses[n.Text()], use{line: n.Line(), role: roleOf(n)})
			}
		}
		return true
	})
	return f
}

// names reports an identifier that names the definition around it: that is no use.
func names(n syntax.Node) bool {
	p := n.Parent()
	return n.Field() == "name" && (p.ChildByField("body").Valid() || p.Is("type_spec", "type_alias_declaration")) ||
		n.Field() == "declarator" && p.Kind() == "function_declarator"
}

// roleOf says what an identifier does where it stands.
func roleOf(n syntax.Node) role {
	switch n.Field() {
	case "attribute", "property", "field", "key":
		return member
	}
	kind := n.Kind()
	if kind == "property_identifier" || kind == "field_identifier" {
		return member
	}
	p := n.Parent()
	switch p.Kind() {
	case "keyword_argument":
		if n.Field() == "name" {
			return member
		}
	case "call", "call_expression", "new_expression", "object_creation_expression", "method_invocation", "function_call_expression":
		switch n.Field() {
		case "function", "constructor", "type":
			return calls
		case "name", "method":
			if p.ChildByField("object").Valid() || p.ChildByField("receiver").Valid() {
				return member
			}
			return calls
		}
	}
	for up, last := p, n; up.Valid(); up, last = up.Parent(), up {
		k := up.Kind()
		switch {
		case slices.Contains(importing, k):
			return imports
		case slices.Contains(lists, k):
			if f := last.Field(); f == "value" || f == "type" {
				return reads // a default
			}
			return binds
		case slices.Contains(bindings, k):
			switch last.Field() {
			case "left", "name", "declarator", "alias", "pattern":
				if last == n || slices.Contains(lists, last.Kind()) || last.Kind() == "expression_list" || last.Kind() == "variable_declarator" {
					return binds
				}
			}
			return reads
		case strings.HasSuffix(k, "pattern") || k == "expression_list" || k == "dotted_name" || k == "aliased_import" || k == "as_pattern_target":
			continue
		}
		return reads
	}
	return reads
}

// akin reports languages whose files call each other.
func akin(a, b string) bool {
	return language.Family(a) == language.Family(b)
}
