package codebase

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Role says what a file is for.
type Role string

// The roles of files.
const (
	Production Role = "production"
	Test       Role = "test"
	Example    Role = "example"
	Document   Role = "document"
	Tooling    Role = "tooling" // of the developers: editors, continuous integration
	Generated  Role = "generated"
	Vendored   Role = "vendored"
)

var (
	testDirs = []string{"test-data", "test_data", "__fixtures__", "testutil", "testutils", "test-utils", "cypress",
		"test", "tests", "testing", "testdata", "__tests__", "spec", "specs", "fixtures", "fixture", "benchmarks",
		"benchmark", "bench", "e2e", "mocks", "__mocks__", "androidtest", "commontest", "jvmtest", "integrationtest", "unittest",
		"unittests", ".ci", "t",
		".buildkite"}
	exampleDirs = []string{"examples", "example", "samples", "sample", "demo", "demos", "tutorial", "tutorials", "playground", "cookbook",
		"docs_src"}
	// Directories of helpers for tests: client-tests, server-test-base.
	testDir = regexp.MustCompile(`[-_](tests?|testing|testkit|test[-_](base|utils?|support|helpers?|suites?|kit|common|fixtures?))$`)
)

// Packages of Java are named after domains, with these first.
var domains = []string{"com", "org", "net", "io", "edu", "gov"}

var documentExtensions = []string{".md", ".markdown", ".rst", ".adoc", ".txt", ".tex"}

// RoleOf judges a file by its path alone, by the customs of all languages.
func RoleOf(p string) Role {
	parts := strings.Split(strings.ToLower(p), "/")
	dirs, base := parts[:len(parts)-1], parts[len(parts)-1]
	for i := range dirs { // below stand names of packages, and tests elsewhere
		if i+1 < len(dirs) && dirs[i] == "main" && slices.Contains([]string{"java", "kotlin", "scala", "groovy"}, dirs[i+1]) ||
			slices.Contains([]string{".java", ".kt", ".scala"}, path.Ext(base)) && slices.Contains(domains, dirs[i]) {
			dirs = dirs[:i]
			break
		}
	}
	isIn := func(names []string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			return slices.Contains(names, strings.TrimLeft(dir, "_")) || slices.Contains(names, dir)
		})
	}
	switch {
	case vendoredDir(p) != "", libraryFile.MatchString(base), pinned(base):
		return Vendored
	case isIn(testDirs), isTestName(base, path.Base(p)), slices.ContainsFunc(dirs, isTestProject),
		slices.ContainsFunc(dirs, testDir.MatchString):
		return Test
	case isIn(exampleDirs), explains(dirs):
		return Example
	case slices.Contains(documentExtensions, path.Ext(base)):
		return Document
	case slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(dir, ".") }):
		return Tooling
	case skipByName(p) != "":
		return Generated
	}
	return Production
}

// explains reports a directory below that of the documentation: the code there shows how something is done.
func explains(dirs []string) bool {
	i := slices.IndexFunc(dirs, func(dir string) bool { return dir == "docs" || dir == "doc" })
	return i >= 0 && i+1 < len(dirs)
}

// isTestProject reports a directory of tests as C# projects name theirs: Orders.Tests.
func isTestProject(dir string) bool {
	_, last, dotted := strings.Cut(dir, ".")
	return dotted && (strings.HasSuffix(last, "tests") || strings.HasSuffix(last, ".test") || last == "test")
}

// IsTest reports a file of tests, or of what only tests use.
func IsTest(p string) bool { return RoleOf(p) == Test }

var fixtureDirs = []string{"fixtures", "fixture", "__fixtures__", "testdata", "test-data", "test_data"}

// IsFixture reports a file that tests read as data: what looks like a test there may be wrong on purpose.
func IsFixture(p string) bool {
	dirs := strings.Split(strings.ToLower(p), "/")
	return slices.ContainsFunc(dirs[:len(dirs)-1], func(dir string) bool { return slices.Contains(fixtureDirs, dir) })
}

// isTestName knows a test by its base name, in lower case and as it stands.
func isTestName(base, written string) bool {
	stem, _, _ := strings.Cut(base, ".")
	return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || stem == "conftest" || stem == "tests" ||
		strings.HasSuffix(base, "test.php") || strings.HasSuffix(written, "Test.java") || strings.HasSuffix(written, "Tests.java") ||
		strings.HasSuffix(written, "IT.java") || testClass.MatchString(written)
}

// Classes of tests in languages that name them as Java does.
var testClass = regexp.MustCompile(`[a-z0-9]Tests?\.(kt|scala|groovy|cs|swift)$`)

var (
	testImport = map[string]*regexp.Regexp{
		"python": regexp.MustCompile(`(?m)^\s*(import|from) +(unittest|pytest|django\.test|nose)\b`),
		"javascript": regexp.MustCompile(`(?m)(from +|require\()['"](chai|mocha|vitest|ava|tape|supertest|sinon|@jest/globals|node:test|` +
			`@testing-library/[\w-]+|@playwright/test|cypress)['"]|^describe\(`),
		"java": regexp.MustCompile(`(?m)^import +(static +)?(org\.junit|org\.testng|org\.mockito)\.`),
		"php":  regexp.MustCompile(`(?m)^use +(PHPUnit\\|.*\\TestCase;)|extends +\\?(PHPUnit\w*|TestCase)\b`),
		"ruby": regexp.MustCompile(`(?m)^RSpec\.describe|^require +['"](minitest/autorun|test/unit|spec_helper|rails_helper|test_helper)['"]`),
	}
	testDefinition = map[string]*regexp.Regexp{
		"python":     regexp.MustCompile(`(?m)^\s*(async +)?def +test_\w+\(|^class +\w+\((\w+\.)*\w*TestCase\b`),
		"javascript": regexp.MustCompile(`(?m)^\s*(it|test)\(\s*['"` + "`" + `]`),
		"java":       regexp.MustCompile(`(?m)^\s*@(Test|ParameterizedTest|BeforeEach|Before)\b`),
		"php":        regexp.MustCompile(`(?m)function +test\w+\(|@test\b|#\[Test\]`),
		"ruby":       regexp.MustCompile(`(?m)^\s*(it|test|specify) +['"]|^\s*def +test_\w+|^RSpec\.describe`),
	}
)

// RoleIn is RoleOf for a file whose text is known: one that imports a framework for tests and defines tests is a test wherever
// it lies.
func RoleIn(p, language string, text []byte) Role {
	role := RoleOf(p)
	if language == "typescript" || language == "tsx" {
		language = "javascript"
	}
	imports, defines := testImport[language], testDefinition[language]
	if role == Production && imports != nil && imports.Match(text) && defines.Match(text) {
		return Test
	}
	return role
}
