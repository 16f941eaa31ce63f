package rule

import (
	"path"
	"strings"
)

// LanguageOf is the language by which a file of this name is parsed, "" when no grammar is at hand for it.
func LanguageOf(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyw":
		return "python"
	case ".js", ".mjs", ".cjs", ".jsx":
		return "javascript"
	case ".ts", ".mts", ".cts":
		return "typescript"
	case ".tsx":
		return "tsx"
	case ".go":
		return "go"
	case ".java":
		return "java"
	case ".php", ".phtml", ".php5", ".inc":
		return "php"
	case ".rb", ".rake", ".ru":
		return "ruby"
	case ".c", ".h":
		return "c"
	}
	return ""
}
