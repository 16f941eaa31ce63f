package flow

import (
	"strings"
)

// typed is a value as one of a declared type.
func (f *frame) typed(v *value, t string) *value {
	switch {
	case harmlessType(t):
		if v.known() {
			return v
		}
		return &value{clean: true}
	case f.file.Language == "java" || f.file.Language == "go" || v.name() == "":
		if full := f.typeName(t); full != "" && !ordinaryType(t) {
			return v.named(full)
		}
	}
	return v
}

// typeName is the tables' name of a declared type.
func (f *frame) typeName(t string) string {
	t = strings.TrimLeft(strings.TrimSuffix(t, "?"), "*&?")
	if i := strings.IndexAny(t, "<["); i > 0 {
		t = t[:i]
	}
	head, rest, dotted := strings.Cut(t, ".")
	if full, ok := f.file.Imports[head]; ok && f.file.Language != "java" {
		if dotted {
			return full + "." + rest
		}
		return full
	}
	if f.file.Language == "java" {
		return t[strings.LastIndexByte(t, '.')+1:]
	}
	return t
}

// harmlessType reports a type whose values carry no text.
func harmlessType(t string) bool {
	switch strings.TrimPrefix(t, "java.lang.") {
	case "int", "long", "short", "byte", "float", "double", "boolean", "bool", "Integer", "Long", "Short", "Double", "Float", "Boolean",
		"BigDecimal", "BigInteger", "UUID", "LocalDate", "LocalDateTime", "Instant", "number", "int64", "int32", "uint", "uint64", "uint32",
		"float64", "float32", "Decimal", "uuid.UUID", "datetime", "date", "Number", "Optional[int]", "int | None":
		return true
	}
	return false
}

// ordinaryType reports a type that says nothing of where its values come from.
func ordinaryType(t string) bool {
	switch strings.TrimSuffix(t, "[]") {
	case "String", "Object", "var", "Map", "List", "HashMap", "ArrayList", "string", "any", "error", "str", "dict", "list", "char", "T":
		return true
	}
	return false
}
