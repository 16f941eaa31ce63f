package codebase

import (
	"path"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
)

// Reasons of a Skip. Some are followed by ": " and a detail.
const (
	whyVendored    = "vendored"
	whyLock        = "lock file"
	whyGenerated   = "generated"
	whyMinified    = "minified"
	whyBinary      = "binary"
	whyTooLarge    = "too large"
	whyTotal       = "over the total size limit"
	whyCount       = "over the file limit"
	whySymlink     = "symlink"
	whyUnreadable  = "unreadable"
	whySubmodule   = "git submodule or nested repository"
	whySpecial     = "special file"
	whyLFS         = "git LFS pointer"
	whyName        = "file name is not valid UTF-8"
	whyExcluded    = "excluded"
	whyIgnored     = "ignored"
	whyNotIncluded = "not matched by include globs"
)

var vendoredDirs = map[string]bool{
	"vendor": true, "_vendor": true, "node_modules": true, "bower_components": true, "jspm_packages": true,
	"third_party": true, "third-party": true, "thirdparty": true, "3rdparty": true,
	".venv": true, "venv": true, "virtualenv": true, "site-packages": true, "dist-packages": true,
	"__pypackages__": true, ".tox": true, ".nox": true, ".eggs": true, "Pods": true, "Carthage": true,
	".bundle": true, ".yarn": true, ".pnpm-store": true, ".gradle": true, ".terraform": true,
}

// vcsDirs are the inner workings of version control: not source, not worth a Skip.
var vcsDirs = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true, ".bzr": true, "CVS": true}

var lockNames = map[string]bool{
	"package-lock.json": true, "npm-shrinkwrap.json": true, "yarn.lock": true, "pnpm-lock.yaml": true,
	"bun.lock": true, "bun.lockb": true, "deno.lock": true, "cargo.lock": true, "go.sum": true, "go.work.sum": true,
	"poetry.lock": true, "pipfile.lock": true, "uv.lock": true, "pdm.lock": true, "pixi.lock": true,
	"gemfile.lock": true, "composer.lock": true, "packages.lock.json": true, "podfile.lock": true,
	"mix.lock": true, "pubspec.lock": true, "flake.lock": true, "gradle.lockfile": true, "package.resolved": true,
	"conan.lock": true, ".terraform.lock.hcl": true, "project.assets.json": true,
}

var generatedSuffixes = []string{
	".pb.go", ".pb.gw.go", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py", ".pb.cc", ".pb.h", ".pb.swift", "_pb.js", "_pb.d.ts", "_pb.rb",
	".map", ".g.dart", ".freezed.dart", ".designer.cs", ".g.cs", ".g.i.cs", ".js.snap", ".ts.snap", ".tsx.snap", ".jsx.snap",
}

// packageRoot ends where the names of packages begin in the sources of a JVM's language.
var packageRoot = regexp.MustCompile(`(^|/)src/[^/]+/(java|kotlin|scala|groovy)/`)

// vendoredDir gives the topmost vendored directory that path lies in, with a
// trailing slash, or "". A package that is called vendor is about vendors, as
// org.springframework.orm.jpa.vendor is.
func vendoredDir(p string) string {
	for i := 0; i < len(p); {
		j := strings.IndexByte(p[i:], '/')
		if j < 0 {
			return ""
		}
		if name := p[i : i+j]; vendoredDirs[name] && (name != "vendor" || !packageRoot.MatchString(p[:i])) ||
			i == 0 && name == "deps" { // deps below the top is a name like any other
			return p[:i+j+1]
		}
		i += j + 1
	}
	return ""
}

// inVCS says whether path lies in version control's own directory.
func inVCS(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if vcsDirs[part] {
			return true
		}
	}
	return false
}

// skipByName judges a file by its base name alone; "" keeps it.
func skipByName(p string) string {
	base := strings.ToLower(path.Base(p))
	if lockNames[base] {
		return whyLock
	}
	for _, suffix := range generatedSuffixes {
		if strings.HasSuffix(base, suffix) {
			return whyGenerated + ": named *" + suffix
		}
	}
	for _, mark := range []string{".min.js", ".min.css", ".min.mjs", "-min.js"} {
		if strings.HasSuffix(base, mark) {
			return whyMinified + ": named *" + mark
		}
	}
	if libraryFile.MatchString(base) || pinned(base) {
		return whyVendored + ": named as a library and its version"
	}
	return ""
}

// pinned reports a package of npm as import maps keep one, by its scope and its name: @scope--name.js.
func pinned(base string) bool {
	return strings.HasPrefix(base, "@") && strings.Contains(base, "--") && strings.HasSuffix(base, ".js")
}

// skipByText judges a file by its decoded text; "" keeps it.
func skipByText(lang, text string) string {
	if strings.HasPrefix(text, "version https://git-lfs.github.com/spec/") && len(text) < 1024 {
		return whyLFS
	}
	if mark := generatedMark(text); mark != "" {
		return whyGenerated + ": " + mark
	}
	return minified(lang, text)
}

const (
	generatedHead  = 4096 // bytes of a file that a generator's mark is looked for in
	generatedLines = 40
	markLines      = 15 // lines in which a bare "@generated" counts
)

// generatedMark looks for a generator's mark in the comments a file opens with.
// Only lines that begin as a comment count, so that a generator, which holds the
// mark in a string, is not taken for its product.
func generatedMark(text string) string {
	n := 0
	for line := range strings.Lines(firstBytes(text, generatedHead)) {
		if n++; n > generatedLines {
			return ""
		}
		body, ok := commentBody(line)
		if !ok {
			continue
		}
		low := strings.ToLower(body)
		switch {
		case strings.Contains(low, "do not edit") &&
			(strings.Contains(low, "generated") || strings.Contains(low, "auto-generated")):
			return "says DO NOT EDIT"
		case n <= markLines && strings.HasPrefix(low, "@generated") && !strings.HasPrefix(low, "@generatedvalue"):
			return "marked @generated"
		case strings.HasPrefix(low, "generated by the protocol buffer compiler"),
			strings.HasPrefix(low, "autogenerated by thrift"),
			strings.HasPrefix(low, "<auto-generated"),
			strings.HasPrefix(low, "this file was automatically generated"),
			strings.HasPrefix(low, "this file is automatically generated"),
			strings.HasPrefix(low, "this file was autogenerated"),
			strings.HasPrefix(low, "this file is autogenerated"),
			strings.HasPrefix(low, "this is an autogenerated file"),
			strings.HasPrefix(low, "automatically generated by"):
			return "header comment says so"
		}
	}
	return ""
}

// commentBody gives what follows a comment mark at the start of a line.
func commentBody(line string) (string, bool) {
	line = strings.TrimSpace(line)
	for _, mark := range []string{"///", "//", "/**", "/*", "#", "<!--", "--", ";;", ";", "%", "*", `"""`, "'''", "{#", "@generated"} {
		rest, ok := strings.CutPrefix(line, mark)
		if !ok {
			continue
		}
		if mark == "@generated" {
			// Inside a block comment whose lines carry no mark.
			return line, true
		}
		return strings.TrimSpace(rest), true
	}
	return "", false
}

// What makes a file minified.
const (
	longLine   = 500 // bytes of a line that nobody wrote by hand
	longScript = 200 // the same in scripts and style sheets
	longProse  = 2000
	fewLines   = 10 // ordinary lines of code that a minified file may have: a licence's are comments
)

// minified judges a file as a whole, by the mean line length and by how much of it stands in long lines. Scripts and style
// sheets are held to shorter lines than prose and data, which run long by nature. A source file is minified only if there
// is hardly anything else in it: long comments and a few ordinary lines beside one long line hide nothing.
func minified(lang, text string) string {
	least, long := 4096, longLine
	switch lang {
	case "javascript", "typescript", "tsx", "css", "scss":
		least, long = 1024, longScript
	case "markdown", "text", "rst", "asciidoc", "tex":
		least, long = 16<<10, longProse
	}
	lines := countLines(text)
	if len(text) <= least || len(text)/lines <= long {
		return ""
	}
	if language.Source(lang) && !mostlyLong(text, long) {
		return ""
	}
	return whyMinified + ": very long lines"
}

// mostlyLong reports a text that has long lines of code, and few others.
func mostlyLong(text string, long int) bool {
	ordinary, within, block := 0, 0, false // lines; bytes of code in long lines; in a block comment
	for line := range strings.Lines(text) {
		code := strings.TrimSpace(line)
		if block || strings.HasPrefix(code, "/*") {
			_, code, _ = strings.Cut(code, "*/")
			block = code == "" && !strings.Contains(line, "*/")
			code = strings.TrimSpace(code)
		}
		_, comment := commentBody(code)
		switch {
		case code == "":
		case len(code) > long:
			// Minified code may begin with other marks of comments: "*{", ";(", "#id{".
			if !strings.HasPrefix(code, "//") && !strings.HasPrefix(code, "# ") {
				within += len(code)
			}
		case !comment:
			ordinary++
		}
		if ordinary > fewLines {
			return false
		}
	}
	return within*2 > len(text)
}
