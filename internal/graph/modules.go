package graph

import (
	"path"
	"slices"
	"strings"
)

// thing is what a name or an expression stands for.
type thing struct {
	sort sort
	at   int32 // a symbol, file or package
}

type sort uint8

const (
	nothing  sort = iota // it cannot be told
	outside              // something of another codebase, or of the language
	aFile                // a file as a module
	aPackage             // a package or namespace
	aSymbol              // a symbol itself
	instance             // an instance of a symbol, which is a type
)

var external = thing{sort: outside}

// module is what a file means by the name of a module.
func (g *Graph) module(f *file, name string) thing {
	switch f.family {
	case "go":
		if dir, ok := g.goDir(name); ok {
			return g.packageThing("go", dir)
		}
	case "python":
		return g.pythonModule(f, name)
	case "javascript":
		if i := g.scriptModule(f, name); i >= 0 {
			return thing{aFile, i}
		}
	case "java":
		return g.dotted("java", strings.Split(name, "."))
	case "php":
		if strings.HasPrefix(name, "./") {
			return g.pathThing(f, name)
		}
		return g.dotted("php", strings.Split(name, `\`))
	case "ruby":
		return g.pathThing(f, name+".rb")
	case "c":
		if i := g.include(f, name); i >= 0 {
			return thing{aFile, i}
		}
	}
	return external
}

func (g *Graph) packageThing(family, name string) thing {
	if id, ok := g.byPkg[family+"\x00"+name]; ok && len(g.packages[id].files)+len(g.packages[id].subs) > 0 {
		return thing{aPackage, id}
	}
	return external
}

// pathThing is a file whose path is given relative to another, or to a directory that sources usually lie in.
func (g *Graph) pathThing(f *file, name string) thing {
	dirs := []string{"lib", "app", "src", "."}
	if relative, ok := strings.CutPrefix(name, "./"); ok {
		name, dirs = relative, []string{path.Dir(f.path), "."}
	} else if i := strings.Index(f.path, "/lib/"); i >= 0 {
		dirs = append(dirs, f.path[:i+len("/lib")])
	} else {
		for dir := path.Dir(f.path); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir+"/lib")
		}
	}
	for _, dir := range dirs {
		if i, ok := g.byPath[path.Join(dir, name)]; ok {
			return thing{aFile, i}
		}
	}
	return external
}

// dotted is a package, class or name within one, from its parts.
func (g *Graph) dotted(family string, parts []string) thing {
	root, ok := g.byPkg[family+"\x00"]
	if !ok {
		return external
	}
	at := thing{aPackage, root}
	for _, part := range parts {
		if at = g.below(at, part); at.sort == outside {
			break
		}
	}
	return at
}

// below is what a package or class holds by a name, without looking further.
func (g *Graph) below(at thing, name string) thing {
	switch at.sort {
	case aPackage:
		p := &g.packages[at.at]
		if id, ok := p.names[name]; ok {
			return thing{aSymbol, id}
		}
		if sub, ok := p.subs[name]; ok && sub >= 0 {
			return thing{aPackage, sub}
		}
	case aSymbol:
		if ids := g.members[member{at.at, name}]; len(ids) > 0 {
			return thing{aSymbol, ids[0]}
		}
	}
	return external
}

// pythonModule resolves a module's name, with dots before it where it is relative.
func (g *Graph) pythonModule(f *file, name string) thing {
	bare := strings.TrimLeft(name, ".")
	parts := strings.FieldsFunc(bare, func(r rune) bool { return r == '.' })
	dir := path.Dir(f.path)
	if dots := len(name) - len(bare); dots > 0 {
		for range dots - 1 {
			dir = path.Dir(dir)
		}
		return g.pythonPath(dir, parts)
	}
	if len(parts) == 0 {
		return external
	}
	known := slices.Contains(pythonLibrary, parts[0])
	for own := dir; ; dir = path.Dir(dir) {
		if _, in := g.byPath[path.Join(dir, "__init__.py")]; !in && (!known || dir == own) {
			for _, sub := range []string{"", "src", "lib", "python"} {
				if t := g.pythonPath(path.Join(dir, sub), parts); t.sort != outside && !(known && t.sort == aPackage) {
					return t
				}
			}
		}
		if dir == "." {
			return external
		}
	}
}

// pythonPath is the module or package below a directory.
func (g *Graph) pythonPath(dir string, parts []string) thing {
	at := g.packageThing("python", dir)
	for _, part := range parts {
		if at.sort != aPackage {
			return external
		}
		sub, ok := g.packages[at.at].subs[part]
		switch {
		case !ok:
			return external
		case sub < 0:
			at = thing{aFile, -1 - sub}
		default:
			at = thing{aPackage, sub}
		}
	}
	return at
}

var pythonLibrary = strings.Fields(`abc argparse array ast asyncio base64 binascii bisect builtins bz2 calendar cgi cmd code codecs
collections concurrent configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis email
encodings enum errno faulthandler fcntl filecmp fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip
hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox math
mimetypes mmap multiprocessing numbers operator os pathlib pdb pickle pkgutil platform plistlib pprint profile pwd queue random re
readline reprlib resource sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat
statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile tempfile termios textwrap threading time timeit
token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uuid venv warnings wave weakref
webbrowser wsgiref xml xmlrpc zipfile zipimport zlib zoneinfo`)

var scriptEndings = []string{"", ".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", "/index.ts", "/index.tsx",
	"/index.js", "/index.jsx", "/index.mjs", "/index.d.ts"}

// scriptModule resolves a module of JavaScript or TypeScript, -1 for one outside.
func (g *Graph) scriptModule(f *file, name string) int32 {
	if name == self {
		return g.byPath[f.path]
	}
	if strings.HasPrefix(name, ".") {
		return g.scriptPath(path.Join(path.Dir(f.path), name))
	}
	for _, a := range g.scripts.aliases {
		if rest, ok := strings.CutPrefix(name, a.prefix); ok && (a.scope == "." || strings.HasPrefix(f.path, a.scope+"/")) {
			if i := g.scriptPath(path.Join(a.dir, rest)); i >= 0 {
				return i
			}
		}
	}
	for _, dir := range g.scripts.bases {
		if i := g.scriptPath(path.Join(dir, name)); i >= 0 {
			return i
		}
	}
	head, rest := name, ""
	for {
		if dir, ok := g.scripts.packages[head]; ok {
			for _, sub := range []string{rest, path.Join("src", rest), path.Join("lib", rest)} {
				if i := g.scriptPath(path.Join(dir, sub)); i >= 0 {
					return i
				}
			}
			return -1
		}
		i := strings.LastIndexByte(head, '/')
		if i < 0 {
			break
		}
		head, rest = head[:i], path.Join(head[i+1:], rest)
	}
	if rest, ok := strings.CutPrefix(name, "@/"); ok {
		return g.scriptPath(path.Join("src", rest))
	}
	return -1
}

func (g *Graph) scriptPath(p string) int32 {
	for _, ending := range scriptEndings {
		if i, ok := g.byPath[p+ending]; ok && g.files[i].family == "javascript" {
			return i
		}
	}
	if ext := path.Ext(p); strings.HasPrefix(ext, ".js") || ext == ".mjs" { // TypeScript names what it is compiled to
		for _, ending := range []string{".ts", ".tsx", ".mts"} {
			if i, ok := g.byPath[strings.TrimSuffix(p, ext)+ending]; ok {
				return i
			}
		}
	}
	return -1
}

// include resolves a quoted path of C: beside the file, below the root, or the only file whose path ends so.
func (g *Graph) include(f *file, name string) int32 {
	angled := strings.HasPrefix(name, "<")
	name = path.Clean(strings.Trim(name, "<>"))
	if i, ok := g.byPath[path.Join(path.Dir(f.path), name)]; ok && !angled {
		return i
	}
	for dir := path.Dir(f.path); ; dir = path.Dir(dir) {
		for _, sub := range []string{"include", "src", ""} {
			if i, ok := g.byPath[path.Join(dir, sub, name)]; ok && (!angled || sub == "include") {
				return i
			}
		}
		if dir == "." {
			break
		}
	}
	found := int32(-1)
	for _, i := range g.bySuffix[path.Base(name)] {
		if !strings.HasSuffix("/"+g.files[i].path, "/"+name) || angled && !strings.Contains(name, "/") {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
