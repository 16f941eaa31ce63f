package native

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/language"
)

// tongue is a language other than Python that programs are judged in: how their file is called, how it is compiled, and
// how it is run. In commands, {tool} is the language's own program, {home} the folder two levels above it, {file} the
// program's file, {class} Java's main class, {memory} the limit in MiB, {cache} the folder of what was prepared, and {out}
// where a compiler puts what is run.
type tongue struct {
	// name is as package language has it, but for go_test, which is SandboxFusion's.
	name    string
	title   string
	tool    string // what is looked for in PATH
	install string // a package of Debian's that has it

	version  []string                 // a command that prints it
	file     func(code string) string // the file's name. Defaults to that of name
	sights   []string                 // further files and folders of the machine that its tools need, where they are
	env      []string                 // further variables of all its commands, NAME=VALUE
	sysroot  []string                 // a command that prints the folder where the tool really lies. Defaults to following links
	prepare  []string                 // what is run once for a version, in {cache}: shell commands. Defaults to nothing
	compile  []string                 // Defaults to nothing being compiled
	compiles bool                     // whether compile leaves something to run; else it only checks
	run      []string
	forks    bool     // programs may start processes
	overhead int      // MiB of memory that its runtime takes beside the program's
	reserved int      // MiB that it maps and never touches, such as stacks
	starved  []string // what a program of it says when memory ran out
}

// Bounds of compilers, which only the largest of right programs reach.
const (
	compileWall   = 30 * time.Second
	compileMemory = 1 << 30 // bytes, of each process; and half as much again of all together
	compileCrowd  = 48
	compileOutput = 64 << 10
	artifactBytes = 64 << 20 // of what is to be run
)

// starving is what compilers say when memory ran out.
var starving = []string{"out of memory", "OutOfMemoryError", "memory allocation of", "more memory than available",
	"default_alloc_error_hook", "annot allocate memory"}

// tongues are all of them.
func tongues() []tongue {
	goEnv := []string{"CGO_ENABLED=0", "GOCACHE={cache}", "GOENV=off", "GOPATH=/box/gopath", "GOPROXY=off", "GOROOT={home}",
		"GOTELEMETRY=off", "GOTOOLCHAIN=local", "GO111MODULE=off", "GOSUMDB=off"}
	goStarved := []string{"out of memory", "cannot allocate memory"}
	javac := []string{"-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-J-XX:-UsePerfData", "-J-Xmx512m", "-proc:none", "-implicit:none",
		"-encoding", "UTF-8"}
	return []tongue{
		{
			name: "cpp", title: "C++", tool: "g++", install: "g++",
			version: []string{"{tool}", "-dumpfullversion"},
			prepare: []string{"mkdir bits && echo '#include <bits/stdc++.h>' > all.h && " +
				"{tool} -std=c++17 -O2 -x c++-header -o bits/stdc++.h.gch all.h"},
			compile: []string{"{tool}", "-std=c++17", "-O2", "-pipe", "-fmax-errors=50", "-I{cache}", "-o", "{out}/main", "{file}"}, compiles: true,
			run: []string{"{out}/main"}, starved: []string{"std::bad_alloc"},
		},
		{
			name: "go", title: "Go", tool: "go", install: "golang-go",
			version: []string{"{tool}", "env", "GOVERSION"}, env: goEnv, prepare: []string{goPrepared},
			compile: []string{"{tool}", "build", "-o", "{out}/main", "{file}"}, compiles: true,
			run: []string{"{out}/main"}, overhead: 192, starved: goStarved,
		},
		{
			name: "go_test", title: "Go (go test)", tool: "go", install: "golang-go",
			file:    func(string) string { return "main_test.go" },
			version: []string{"{tool}", "env", "GOVERSION"}, env: goEnv, prepare: []string{goPrepared},
			compile: []string{"{tool}", "test", "-c", "-vet=off", "-o", "{out}/main", "{file}"}, compiles: true,
			run: []string{"{out}/main"}, overhead: 192, starved: goStarved,
		},
		{
			name: "java", title: "Java", tool: "javac", install: "default-jdk-headless",
			file:    func(code string) string { return mainClass(code) + ".java" },
			version: []string{"{tool}", "-version"},
			sights:  []string{"/etc/java-*"},
			prepare: []string{"echo 'class A {}' > A.java && {tool} -J-XX:ArchiveClassesAtExit={cache}/javac.jsa " +
				strings.Join(javac, " ") + " A.java"},
			compile: slices.Concat([]string{"{tool}", "-J-XX:SharedArchiveFile={cache}/javac.jsa", "-J-Xshare:auto"}, javac,
				[]string{"-cp", javaPath, "-d", "{out}", "{file}"}), compiles: true,
			run: []string{"{home}/bin/java", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx{memory}m", "-XX:MaxDirectMemorySize={memory}m",
				"-Xss32m", "-ea", "-cp", "{out}:" + javaPath, "{class}"},
			overhead: 384, reserved: 2048, starved: []string{"java.lang.OutOfMemoryError", "insufficient memory for the Java Runtime"},
		},
		{
			name: "javascript", title: "JavaScript", tool: "node", install: "nodejs",
			version: []string{"{tool}", "--version"},
			compile: []string{"{tool}", "--check", "{file}"},
			run:     []string{"{tool}", "--max-old-space-size={memory}", "{file}"}, overhead: 512,
			starved: []string{"JavaScript heap out of memory", "Array buffer allocation failed", "FatalProcessOutOfMemory"},
		},
		{
			name: "rust", title: "Rust", tool: "rustc", install: "rustc",
			version: []string{"{tool}", "--version"}, sysroot: []string{"{tool}", "--print", "sysroot"},
			compile: []string{"{tool}", "--edition=2021", "-Copt-level=2", "-Cdebuginfo=0", "-o", "{out}/main", "{file}"}, compiles: true,
			run: []string{"{out}/main"}, starved: []string{"memory allocation of "},
		},
		{
			name: "shell", title: "shell", tool: "bash", install: "bash",
			version: []string{"{tool}", "--version"},
			compile: []string{"{tool}", "-n", "{file}"},
			run:     []string{"{tool}", "{file}"}, forks: true, starved: []string{"cannot allocate "},
		},
	}
}

// javaPath has what MultiPL-E's programs in Java import beside the standard library, where it was put there.
const javaPath = "/usr/share/java/javatuples.jar"

// goPrepared compiles those packages of the standard library that such programs import; others are compiled with each.
const goPrepared = "{tool} build bufio bytes cmp container/heap container/list container/ring context encoding/base64 encoding/binary " +
	"encoding/hex encoding/json errors fmt hash/fnv io iter maps math math/big math/bits math/cmplx math/rand math/rand/v2 os reflect " +
	"regexp runtime slices sort strconv strings sync sync/atomic text/tabwriter time unicode unicode/utf8 unsafe && " +
	"printf 'package a\\nimport \"testing\"\\nfunc TestA(*testing.T) {}\\n' > a_test.go && {tool} test -c -vet=off -o /dev/null a_test.go"

// spoken finds a language by its name, or by what people call it.
func spoken(word string) (tongue, bool) {
	all := tongues()
	for _, name := range []string{word, language.Called(word)} {
		if i := slices.IndexFunc(all, func(t tongue) bool { return t.name == name }); i >= 0 {
			return all[i], true
		}
	}
	return tongue{}, false
}

// Languages are the names of all that a Polyglot can know, Python left out.
func Languages() (names []string) {
	for _, t := range tongues() {
		names = append(names, t.name)
	}
	return names
}

// Proper is the name of the language that SandboxFusion, MultiPL-E or people call so, "" for none.
func Proper(word string) string {
	t, _ := spoken(strings.ToLower(word))
	return t.name
}

// fileName is how a program's file is called.
func (t tongue) fileName(code string) string {
	if t.file != nil {
		return t.file(code)
	}
	return "main." + language.Extension(t.name)
}

const javaNamed = `(?:class|interface|enum|record)[ \t\r\n]+([A-Za-z_$][A-Za-z0-9_$]{0,100})`

var (
	javaClass  = regexp.MustCompile(`\b` + javaNamed)
	javaPublic = regexp.MustCompile(`\bpublic[ \t\r\n]+(?:(?:final|abstract|strictfp|sealed|non-sealed)[ \t\r\n]+){0,5}` + javaNamed)
	javaFolder = regexp.MustCompile(`(?m)^[ \t]*package[ \t]+([A-Za-z_$][A-Za-z0-9_$.]{0,200})[ \t]*;`)
	javaMain   = regexp.MustCompile(`\bstatic[ \t\r\n]+(?:final[ \t\r\n]+)?void[ \t\r\n]+main[ \t\r\n]*\(`)
)

// runnable is the full name of a Java program's main class.
func runnable(code string) string {
	if m := javaFolder.FindStringSubmatch(code); m != nil {
		return m[1] + "." + mainClass(code)
	}
	return mainClass(code)
}

// mainClass is the class of a Java program that is run: the one that main stands in, or else Main. Where there is a public
// one, its file must be called like it. Comments and texts that look like code may mislead it, to the program's own harm.
func mainClass(code string) string {
	if m := javaPublic.FindStringSubmatch(code); m != nil {
		return m[1]
	}
	at := javaMain.FindStringIndex(code)
	if at == nil {
		return "Main"
	}
	name := "Main"
	for _, m := range javaClass.FindAllStringSubmatch(code[:at[0]], -1) {
		name = m[1]
	}
	return name
}
