package codebase

import (
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
)

// languageOf names the language of a text by its file name, its extension or its
// #! line, in this order.
func languageOf(name, text string) string {
	base := strings.ToLower(path.Base(name))
	if l := language.OfFile(base); l != "" {
		return l
	}
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if ext == "h" && looksLikeCPlusPlus(text) {
		return "cpp"
	}
	if ext == "inc" && !strings.Contains(firstBytes(text, 1024), "<?php") {
		return language.Unknown
	}
	if l := language.OfExtension(ext); l != "" {
		return l
	}
	if l := language.OfVariant(base); l != "" {
		return l
	}
	if l := language.OfInterpreter(interpreter(text)); l != "" {
		return l
	}
	if strings.HasPrefix(text, "<?php") {
		return "php"
	}
	return language.Unknown
}

// interpreter reads a #! line: "#!/usr/bin/env -S python3.11 -u" gives "python".
func interpreter(text string) string {
	line, ok := strings.CutPrefix(text, "#!")
	if !ok {
		return ""
	}
	line = firstBytes(line, 256)
	line, _, _ = strings.Cut(line, "\n")
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return ""
	}
	name := path.Base(fields[0])
	if name == "env" {
		name = ""
		for _, f := range fields[1:] {
			if strings.HasPrefix(f, "-") || strings.Contains(f, "=") {
				continue
			}
			name = path.Base(f)
			break
		}
	}
	return strings.ToLower(strings.TrimRight(name, "0123456789."))
}

// looksLikeCPlusPlus tells C++ headers from C ones by words that C lacks.
func looksLikeCPlusPlus(text string) bool {
	for line := range strings.Lines(firstBytes(text, 32<<10)) {
		line = strings.TrimSpace(line)
		for _, p := range []string{"class ", "namespace ", "template <", "template<", "using namespace", "public:", "private:", "protected:"} {
			if strings.HasPrefix(line, p) {
				return true
			}
		}
	}
	return false
}

func firstBytes(s string, n int) string {
	if len(s) > n {
		return s[:n]
	}
	return s
}
