package codebase

import (
	"path"
	"strings"
)

// unknownLanguage is the language of a text that no table knows.
const unknownLanguage = "text"

// byExtension is keyed by the lower-case extension without its dot.
var byExtension = map[string]string{
	"py": "python", "pyi": "python", "pyw": "python", "pyx": "python",
	"js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
	"ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx",
	"go": "go", "java": "java", "kt": "kotlin", "kts": "kotlin", "scala": "scala", "sc": "scala",
	"groovy": "groovy", "gradle": "groovy", "clj": "clojure", "cljs": "clojure", "cljc": "clojure",
	"php": "php", "phtml": "php", "php5": "php", "inc": "php",
	"rb": "ruby", "rake": "ruby", "gemspec": "ruby", "ru": "ruby", "erb": "erb",
	"c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "c++": "cpp", "hh": "cpp",
	"hpp": "cpp", "hxx": "cpp", "ipp": "cpp", "inl": "cpp", "cu": "cpp", "cuh": "cpp",
	"m": "objective-c", "mm": "objective-c", "rs": "rust", "cs": "csharp", "csx": "csharp",
	"fs": "fsharp", "fsx": "fsharp", "vb": "vb", "swift": "swift", "dart": "dart", "zig": "zig",
	"nim": "nim", "d": "d", "lua": "lua", "pl": "perl", "pm": "perl", "r": "r", "jl": "julia",
	"hs": "haskell", "ml": "ocaml", "mli": "ocaml", "ex": "elixir", "exs": "elixir", "erl": "erlang",
	"hrl": "erlang", "sh": "shell", "bash": "shell", "zsh": "shell", "ksh": "shell", "fish": "shell",
	"bats": "shell", "ps1": "powershell", "psm1": "powershell", "bat": "batch", "cmd": "batch",
	"html": "html", "htm": "html", "xhtml": "html", "vue": "vue", "svelte": "svelte", "astro": "astro",
	"css": "css", "scss": "scss", "sass": "sass", "less": "less", "sql": "sql",
	"json": "json", "jsonc": "json", "json5": "json", "jsonl": "json", "ipynb": "json",
	"yaml": "yaml", "yml": "yaml", "toml": "toml", "ini": "ini", "cfg": "ini", "conf": "ini",
	"properties": "ini", "env": "ini", "xml": "xml", "xsd": "xml", "xsl": "xml", "xslt": "xml",
	"svg": "xml", "csproj": "xml", "plist": "xml", "md": "markdown", "markdown": "markdown",
	"mdx": "markdown", "rst": "rst", "adoc": "asciidoc", "tex": "tex", "txt": "text",
	"csv": "csv", "tsv": "csv", "proto": "protobuf", "graphql": "graphql", "gql": "graphql",
	"thrift": "thrift", "tf": "hcl", "tfvars": "hcl", "hcl": "hcl", "nix": "nix",
	"cmake": "cmake", "mk": "make", "mak": "make", "dockerfile": "dockerfile",
	"asm": "assembly", "s": "assembly", "sol": "solidity", "wat": "wat", "vim": "vim", "el": "elisp",
	"j2": "jinja", "jinja": "jinja", "jinja2": "jinja", "tmpl": "template", "gotmpl": "template",
	"hbs": "handlebars", "ejs": "ejs", "pug": "pug", "twig": "twig", "coffee": "coffeescript",
}

// byName is keyed by the lower-case base name.
var byName = map[string]string{
	"dockerfile": "dockerfile", "containerfile": "dockerfile", "makefile": "make", "gnumakefile": "make",
	"cmakelists.txt": "cmake", "rakefile": "ruby", "gemfile": "ruby", "podfile": "ruby", "vagrantfile": "ruby",
	"guardfile": "ruby", "capfile": "ruby", "brewfile": "ruby", "jenkinsfile": "groovy", "artisan": "php",
	"go.mod": "gomod", "go.work": "gomod", "procfile": "yaml", ".bashrc": "shell", ".bash_profile": "shell",
	".profile": "shell", ".zshrc": "shell", ".envrc": "shell", ".babelrc": "json", ".eslintrc": "json",
	".prettierrc": "json", ".editorconfig": "ini", ".gitconfig": "ini", ".npmrc": "ini", "pipfile": "toml",
	"sconstruct": "python", "sconscript": "python", "wscript": "python",
	"build.bazel": "starlark", "meson.build": "meson", "justfile": "make",
}

// byInterpreter is keyed by the interpreter of a #! line, without its version.
var byInterpreter = map[string]string{
	"python": "python", "pypy": "python", "node": "javascript", "nodejs": "javascript", "bun": "javascript",
	"deno": "typescript", "ts-node": "typescript", "tsx": "typescript", "sh": "shell", "bash": "shell",
	"dash": "shell", "ash": "shell", "zsh": "shell", "ksh": "shell", "fish": "shell", "bats": "shell", "ruby": "ruby",
	"jruby": "ruby", "php": "php", "perl": "perl", "lua": "lua", "luajit": "lua", "awk": "awk", "gawk": "awk",
	"rscript": "r", "julia": "julia", "groovy": "groovy", "scala": "scala", "kotlin": "kotlin", "swift": "swift",
	"elixir": "elixir", "escript": "erlang", "make": "make", "tclsh": "tcl", "pwsh": "powershell",
}

// language names the language of a text by its file name, its extension or its
// #! line, in this order.
func language(name, text string) string {
	base := strings.ToLower(path.Base(name))
	if l, ok := byName[base]; ok {
		return l
	}
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if ext == "h" && looksLikeCPlusPlus(text) {
		return "cpp"
	}
	if ext == "inc" && !strings.Contains(firstBytes(text, 1024), "<?php") {
		return unknownLanguage
	}
	if l, ok := byExtension[ext]; ok {
		return l
	}
	if strings.HasPrefix(base, "dockerfile.") {
		return "dockerfile"
	}
	if l, ok := byInterpreter[interpreter(text)]; ok {
		return l
	}
	if strings.HasPrefix(text, "<?php") {
		return "php"
	}
	return unknownLanguage
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
