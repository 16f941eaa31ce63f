package rule

func csharpGrammar() *grammar {
	return &grammar{
		calls:   []string{"invocation_expression"},
		news:    []string{"object_creation_expression"},
		callee:  []string{"function"},
		members: map[string][2]string{"member_access_expression": {"expression", "name"}, "qualified_name": {"qualifier", "name"}},
		indexes: map[string]string{"element_access_expression": "expression"},
		names:   []string{"identifier"},
		strings: []string{"string_literal", "verbatim_string_literal", "raw_string_literal", "interpolated_string_expression"},
		content: []string{"string_literal_content", "string_content", "escape_sequence"},
		holes:   []string{"interpolation"},
		literals: []string{"integer_literal", "real_literal", "character_literal", "boolean_literal", "null_literal", "typeof_expression",
			"predefined_type"},
		containers: []string{"parenthesized_expression", "binary_expression", "prefix_unary_expression", "initializer_expression",
			"cast_expression", "array_creation_expression", "implicit_array_creation_expression", "array_type"},
		functions: []string{"method_declaration", "constructor_declaration", "lambda_expression", "local_function_statement",
			"accessor_declaration", "anonymous_method_expression"},
		classes:  []string{"class_declaration", "record_declaration", "struct_declaration", "interface_declaration"},
		assigns:  map[string][2]string{"assignment_expression": {"left", "right"}},
		blocks:   []string{"block", "compilation_unit", "switch_section"},
		prefixes: "$@",
	}
}

func rustGrammar() *grammar {
	return &grammar{
		calls:     []string{"call_expression"},
		callee:    []string{"function"},
		members:   map[string][2]string{"field_expression": {"value", "field"}, "scoped_identifier": {"", ""}},
		indexes:   map[string]string{"index_expression": ""},
		names:     []string{"identifier"},
		strings:   []string{"string_literal", "raw_string_literal"},
		content:   []string{"string_content", "escape_sequence"},
		literals:  []string{"integer_literal", "float_literal", "char_literal", "boolean_literal"},
		functions: []string{"function_item", "closure_expression"},
		containers: []string{"parenthesized_expression", "binary_expression", "unary_expression", "array_expression", "tuple_expression",
			"reference_expression", "type_cast_expression"},
		classes: []string{"impl_item", "trait_item", "struct_item"},
		assigns: map[string][2]string{
			"let_declaration": {"pattern", "value"}, "assignment_expression": {"left", "right"}, "compound_assignment_expr": {"left", "right"},
			"const_item": {"name", "value"}, "static_item": {"name", "value"},
		},
		augmented: []string{"compound_assignment_expr"},
		blocks:    []string{"block", "source_file"},
		prefixes:  "br",
	}
}

func kotlinGrammar() *grammar {
	return &grammar{
		calls:      []string{"call_expression"},
		names:      []string{"identifier"},
		strings:    []string{"string_literal", "multiline_string_literal"},
		content:    []string{"string_content", "escape_sequence"},
		holes:      []string{"interpolation"},
		literals:   []string{"number_literal", "float_literal", "character_literal", "boolean_literal", "null_literal"},
		containers: []string{"parenthesized_expression", "binary_expression", "unary_expression"},
		functions:  []string{"function_declaration", "lambda_literal", "anonymous_function"},
		classes:    []string{"class_declaration", "object_declaration"},
		assigns:    map[string][2]string{"assignment": {"left", "right"}},
		blocks:     []string{"block", "source_file"},
	}
}
