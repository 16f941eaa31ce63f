package redact

import (
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// format is the kind of file that a text comes from: it decides which values without quotes are read.
type format uint16

const (
	code   format = 1 << iota // source: quoted values only, and what has a form of its own
	plain                     // prose, or a text whose file is unknown: whole lines, judged with caution
	yaml                      // and HOCON
	ini                       // name=value, name: value, name value
	toml                      // values have quotes
	docker                    // ENV and ARG
	shell                     // words, options
	xml                       // elements and attributes
	json                      // values have quotes
	hcl                       // values have quotes
	netrc                     // machine, login, password
	pgpass                    // host:port:database:user:password
	labels                    // added to another: words are what a user reads, not passwords

	config = yaml | ini | toml | docker | shell | xml | json | hcl | netrc | pgpass
)

// formatOfLanguage lists the languages that are no source code.
var formatOfLanguage = map[string]format{
	"yaml": yaml, "ini": ini, "toml": toml, "dockerfile": docker, "shell": shell, "powershell": shell, "batch": shell, "make": shell,
	"xml": xml, "json": json, "hcl": hcl, "markdown": plain, "rst": plain, "sql": plain, "asciidoc": plain, "text": plain, "csv": plain,
}

// formatOfFile lists files without an ending that the table of languages could know.
var formatOfFile = map[string]format{
	".netrc": netrc, "_netrc": netrc, ".authinfo": netrc, ".pgpass": pgpass, "pgpass.conf": pgpass, ".htpasswd": pgpass,
	"credentials": ini, "config": ini, ".pypirc": ini, ".my.cnf": ini, ".s3cfg": ini, ".boto": ini, ".npmrc": ini, ".yarnrc": ini,
	"sasl_passwd": pgpass, "userlist.txt": pgpass, ".dockercfg": json, ".git-credentials": plain, "pipfile.lock": json,
}

// formatOfExtension lists endings of configuration that no language of the table has.
var formatOfExtension = map[string]format{
	"cnf": ini, "config": xml, "hocon": yaml, "tfstate": json, "plist": xml, "nuspec": xml, "service": ini, "desktop": ini, "rc": ini,
	"http": plain, "rest": plain, "netrc": netrc, "pgpass": pgpass, "log": plain, "ldif": yaml, "reg": ini, "settings": xml,
}

// standIns are endings of copies and templates: another ending tells the format.
var standIns = []string{"example", "sample", "dist", "template", "tmpl", "tpl", "j2", "jinja", "jinja2", "erb", "gotmpl", "bak", "old",
	"orig",
	"local", "production", "prod", "staging", "development", "dev", "test", "default", "in", "enc"}

// labelPath names files of translations.
var labelPath = pattern.New(`(?i)(?:^|/)(?:locales?|i18n|l10n|lang|langs|languages?|translations?|messages?)(?:[/._-]|$)`)

// formatOf tells by its name what a file is. A name that says nothing makes plain text.
func formatOf(name string) format {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	found := formatOfBase(base)
	if labelPath.MatchString(name) {
		found |= labels
	}
	return found
}

func formatOfBase(base string) format {
	for {
		if f, ok := formatOfFile[base]; ok {
			return f
		}
		if l := language.OfFile(base); l != "" {
			return formatOfLanguageOr(l, code)
		}
		for _, start := range []string{"dockerfile.", "containerfile."} {
			if strings.HasPrefix(base, start) {
				return docker
			}
		}
		extension := strings.TrimPrefix(path.Ext(base), ".")
		if slices.Contains(standIns, extension) && base != "."+extension {
			base = strings.TrimSuffix(base, "."+extension)
			continue
		}
		if f, ok := formatOfExtension[extension]; ok {
			return f
		}
		if strings.HasPrefix(base, ".env") || base == "env" || extension == "" && strings.HasSuffix(base, "rc") ||
			strings.HasSuffix(extension, "rc") {
			return ini
		}
		if l := language.OfExtension(extension); l != "" {
			return formatOfLanguageOr(l, code)
		}
		return plain
	}
}

func formatOfLanguageOr(l string, otherwise format) format {
	if f, ok := formatOfLanguage[l]; ok {
		return f
	}
	return otherwise
}

// fences calls take for each part of a text with blocks of code between ``` in it, whose first line names a language.
func fences(text string, take func(part string, f format)) {
	const fence = "```"
	f := plain
	for start, from := 0, 0; ; {
		i := strings.Index(text[from:], fence)
		if i < 0 {
			take(text[start:], f)
			return
		}
		at := from + i
		from = at + len(fence)
		if before, whole := lineBefore(text, at); !whole || strings.Trim(before, " \t>-") != "" {
			continue
		}
		if f != plain {
			take(text[start:at], f)
			start, f = at, plain
			continue
		}
		info, _, _ := strings.Cut(text[from:min(len(text), from+40)], "\n")
		if word := strings.ToLower(strings.Trim(info, " \t\r{.}")); word != "" {
			take(text[start:at], f)
			start, f = at, formatOfLanguageOr(languageOf(word), code)
		}
	}
}

// languageOf is the language that people mean by the word behind a fence.
func languageOf(word string) string {
	if l := language.OfExtension(word); l != "" {
		return l
	}
	switch word {
	case "console", "shell-session", "shell", "bash", "terminal":
		return "shell"
	case "dotenv", "properties", "ini", "nginx", "apache":
		return "ini"
	case "text", "plaintext", "output", "diff", "log", "none", "http":
		return "text"
	case "terraform":
		return "hcl"
	}
	return language.Proper(word)
}

// A prompt holds parts of files, each behind a header that rlm's prompts ask for.
const headerStart = "=== FILE: "

// sections calls take for each part of text that comes from one file, in order. A prompt's own words are plain.
func sections(text string, take func(part string, f format)) {
	f := plain
	for start, from := 0, 0; ; {
		i := strings.Index(text[from:], "=== ")
		if i < 0 {
			take(text[start:], f)
			return
		}
		at := from + i
		from = at + len("=== ")
		if at > 0 && text[at-1] != '\n' {
			continue
		}
		line, _, _ := strings.Cut(text[at:min(len(text), at+4096)], "\n")
		switch {
		case strings.HasPrefix(line, headerStart):
			name, _, ok := strings.Cut(line[len(headerStart):], " (lines ")
			if !ok {
				continue
			}
			take(text[start:at], f)
			start, f = at, formatOf(strings.Trim(name, `"`))
		case strings.HasPrefix(line, "=== END ==="):
			take(text[start:at], f)
			start, f = at, plain
		}
	}
}
