package rule

import "regexp"

// grammar is what the aids need to know of one language's tree: the node kinds for each idea, and the field names.
type grammar struct {
	calls      []string             // a call of a function or method
	news       []string             // an object creation
	callee     []string             // fields of a call that hold, in order, receiver and name; or the one callee expression
	members    map[string][2]string // kind of a member access -> its object and name fields
	indexes    map[string]string    // kind of an index expression -> the field of the container
	names      []string             // identifiers that denote a variable
	strings    []string             // string literals
	content    []string             // literal text inside a string
	holes      []string             // interpolated expressions inside a string
	literals   []string             // other constants
	containers []string             // constant if all their children are: parentheses, tuples, lists, concatenations
	functions  []string
	classes    []string
	assigns    map[string][2]string // kind of an assignment -> its target and value fields
	augmented  []string             // those among assigns that add to the old value
	blocks     []string             // statement lists
	prefixes   string               // letters that may stand before a string's quote
	input      *regexp.Regexp       // dotted names under which data of a request enters
}

func grammarOf(language string) *grammar {
	switch language {
	case "python":
		return pythonGrammar()
	case "javascript", "typescript", "tsx":
		return javascriptGrammar()
	case "go":
		return goGrammar()
	case "java":
		return javaGrammar()
	case "php":
		return phpGrammar()
	case "ruby":
		return rubyGrammar()
	case "c", "cpp":
		return cGrammar()
	case "csharp":
		return csharpGrammar()
	case "rust":
		return rustGrammar()
	case "kotlin":
		return kotlinGrammar()
	}
	return &grammar{}
}

func pythonGrammar() *grammar {
	return &grammar{
		input:    pythonInput,
		calls:    []string{"call"},
		callee:   []string{"function"},
		members:  map[string][2]string{"attribute": {"object", "attribute"}},
		indexes:  map[string]string{"subscript": "value"},
		names:    []string{"identifier"},
		strings:  []string{"string", "concatenated_string"},
		content:  []string{"string_content", "escape_sequence"},
		holes:    []string{"interpolation"},
		literals: []string{"integer", "float", "true", "false", "none", "ellipsis"},
		containers: []string{"parenthesized_expression", "tuple", "list", "set", "dictionary", "pair", "binary_operator",
			"unary_operator", "expression_list"},
		functions: []string{"function_definition", "lambda"},
		classes:   []string{"class_definition"},
		assigns: map[string][2]string{
			"assignment": {"left", "right"}, "augmented_assignment": {"left", "right"}, "named_expression": {"name", "value"},
			"for_statement": {"left", "right"}, "for_in_clause": {"left", "right"}, "as_pattern": {"alias", ""},
		},
		augmented: []string{"augmented_assignment"},
		blocks:    []string{"block", "module"},
		prefixes:  "rRbBuUfFtT",
	}
}

func javascriptGrammar() *grammar {
	return &grammar{
		input:    jsInput,
		calls:    []string{"call_expression"},
		news:     []string{"new_expression"},
		callee:   []string{"function"},
		members:  map[string][2]string{"member_expression": {"object", "property"}},
		indexes:  map[string]string{"subscript_expression": "object"},
		names:    []string{"identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"},
		strings:  []string{"string", "template_string"},
		content:  []string{"string_fragment", "escape_sequence"},
		holes:    []string{"template_substitution"},
		literals: []string{"number", "true", "false", "null", "undefined", "regex"},
		containers: []string{"parenthesized_expression", "array", "object", "pair", "binary_expression", "unary_expression",
			"property_identifier", "as_expression", "satisfies_expression", "non_null_expression"},
		functions: []string{"function_declaration", "function_expression", "function", "arrow_function", "method_definition",
			"generator_function", "generator_function_declaration"},
		classes: []string{"class_declaration", "class", "abstract_class_declaration"},
		assigns: map[string][2]string{
			"variable_declarator": {"name", "value"}, "assignment_expression": {"left", "right"},
			"augmented_assignment_expression": {"left", "right"}, "for_in_statement": {"left", "right"},
		},
		augmented: []string{"augmented_assignment_expression"},
		blocks:    []string{"statement_block", "program", "switch_case", "switch_default"},
	}
}

func goGrammar() *grammar {
	return &grammar{
		input:      goInput,
		calls:      []string{"call_expression"},
		callee:     []string{"function"},
		members:    map[string][2]string{"selector_expression": {"operand", "field"}},
		indexes:    map[string]string{"index_expression": "operand", "slice_expression": "operand"},
		names:      []string{"identifier"},
		strings:    []string{"interpreted_string_literal", "raw_string_literal"},
		literals:   []string{"int_literal", "float_literal", "rune_literal", "imaginary_literal", "true", "false", "nil", "iota"},
		containers: []string{"parenthesized_expression", "binary_expression", "unary_expression", "expression_list"},
		functions:  []string{"function_declaration", "method_declaration", "func_literal"},
		classes:    []string{"type_spec"},
		assigns: map[string][2]string{
			"short_var_declaration": {"left", "right"}, "assignment_statement": {"left", "right"}, "var_spec": {"name", "value"},
			"range_clause": {"left", "right"},
		},
		blocks: []string{"block", "source_file", "expression_case", "default_case", "communication_case", "type_case", "statement_list"},
	}
}

func javaGrammar() *grammar {
	return &grammar{
		input:   javaInput,
		calls:   []string{"method_invocation"},
		news:    []string{"object_creation_expression"},
		callee:  []string{"object", "name"},
		members: map[string][2]string{"field_access": {"object", "field"}},
		indexes: map[string]string{"array_access": "array"},
		names:   []string{"identifier"},
		strings: []string{"string_literal"},
		content: []string{"string_fragment", "multiline_string_fragment", "escape_sequence"},
		holes:   []string{"string_interpolation"},
		literals: []string{"decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
			"decimal_floating_point_literal", "character_literal", "true", "false", "null_literal", "class_literal"},
		containers: []string{"parenthesized_expression", "binary_expression", "unary_expression", "array_initializer", "cast_expression"},
		functions:  []string{"method_declaration", "constructor_declaration", "lambda_expression"},
		classes:    []string{"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"},
		assigns: map[string][2]string{
			"variable_declarator": {"name", "value"}, "assignment_expression": {"left", "right"}, "enhanced_for_statement": {"name", "value"},
		},
		blocks: []string{"block", "program", "class_body", "constructor_body", "switch_block_statement_group"},
	}
}

func phpGrammar() *grammar {
	return &grammar{
		input:  phpInput,
		calls:  []string{"function_call_expression", "member_call_expression", "nullsafe_member_call_expression", "scoped_call_expression"},
		news:   []string{"object_creation_expression"},
		callee: []string{"object", "scope", "name", "function"},
		members: map[string][2]string{
			"member_access_expression": {"object", "name"}, "nullsafe_member_access_expression": {"object", "name"},
			"scoped_property_access_expression": {"scope", "name"}, "class_constant_access_expression": {"", ""},
		},
		indexes: map[string]string{"subscript_expression": ""},
		names:   []string{"variable_name"},
		strings: []string{"string", "encapsed_string", "heredoc", "nowdoc"},
		content: []string{"string_content", "escape_sequence", "nowdoc_string", "string_value"},
		holes: []string{"variable_name", "member_access_expression", "subscript_expression", "dynamic_variable_name",
			"member_call_expression"},
		literals: []string{"integer", "float", "boolean", "null", "name"},
		containers: []string{"parenthesized_expression", "binary_expression", "unary_op_expression", "array_creation_expression",
			"array_element_initializer", "argument", "qualified_name", "class_constant_access_expression"},
		functions: []string{"function_definition", "method_declaration", "anonymous_function",
			"anonymous_function_creation_expression", "arrow_function"},
		classes: []string{"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"},
		assigns: map[string][2]string{
			"assignment_expression": {"left", "right"}, "augmented_assignment_expression": {"left", "right"},
		},
		augmented: []string{"augmented_assignment_expression"},
		blocks:    []string{"compound_statement", "program", "case_statement", "default_statement", "colon_block"},
	}
}

func rubyGrammar() *grammar {
	return &grammar{
		input:   rubyInput,
		calls:   []string{"call", "method_call", "command_call"},
		callee:  []string{"receiver", "method"},
		members: map[string][2]string{"scope_resolution": {"scope", "name"}},
		indexes: map[string]string{"element_reference": "object"},
		names:   []string{"identifier", "instance_variable", "class_variable", "global_variable"},
		strings: []string{"string", "subshell", "heredoc_body", "chained_string"},
		content: []string{"string_content", "escape_sequence", "heredoc_content"},
		holes:   []string{"interpolation"},
		literals: []string{"integer", "float", "true", "false", "nil", "simple_symbol", "hash_key_symbol", "constant", "rational",
			"complex", "character"},
		containers: []string{"parenthesized_statements", "array", "hash", "pair", "binary", "unary", "scope_resolution",
			"string_array", "symbol_array", "bare_string", "bare_symbol"},
		functions: []string{"method", "singleton_method", "lambda"},
		classes:   []string{"class", "module", "singleton_class"},
		assigns: map[string][2]string{
			"assignment": {"left", "right"}, "operator_assignment": {"left", "right"},
		},
		augmented: []string{"operator_assignment"},
		blocks:    []string{"body_statement", "block_body", "then", "else", "program", "do", "when"},
	}
}

func cGrammar() *grammar {
	return &grammar{
		input:      cInput,
		calls:      []string{"call_expression"},
		callee:     []string{"function"},
		news:       []string{"new_expression"}, // C++
		members:    map[string][2]string{"field_expression": {"argument", "field"}, "qualified_identifier": {"", ""}},
		indexes:    map[string]string{"subscript_expression": "argument"},
		names:      []string{"identifier"},
		strings:    []string{"string_literal", "concatenated_string", "raw_string_literal"},
		content:    []string{"string_content", "escape_sequence", "raw_string_content"},
		literals:   []string{"number_literal", "char_literal", "true", "false", "null", "sizeof_expression"},
		containers: []string{"parenthesized_expression", "binary_expression", "unary_expression", "initializer_list", "cast_expression"},
		functions:  []string{"function_definition", "lambda_expression"},
		classes:    []string{"struct_specifier", "class_specifier"},
		assigns: map[string][2]string{
			"init_declarator": {"declarator", "value"}, "assignment_expression": {"left", "right"},
		},
		blocks:   []string{"compound_statement", "translation_unit", "case_statement"},
		prefixes: "LuU8",
	}
}
