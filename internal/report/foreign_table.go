package report

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// tool is another checker, and the comment or annotation by which people tell it that a place is as it should be.
type tool struct {
	name string
	// mark matches in a line; its first group holds what is named: codes, or nothing. Before it stands a comment's opening,
	// unless the mark is an annotation.
	mark  *regexp.Regexp
	reach reach
	end   *regexp.Regexp // ends a toEnd
	// bare says whether a category is meant where nothing is named. Style checkers' bare marks mean style: nil.
	bare  func(category string) bool
	named func(code string) []string // the categories that a code is about, none for a code that is about none of ours
}

// reach is what a mark is about.
type reach int

const (
	thisLine    reach = iota
	nextLine          // whatever stands before the mark
	thisOrNext        // the next line where the mark stands alone
	toEnd             // to the end mark of the same tool, or the end of the file
	declaration       // what is declared from here on, with its block
	lineOrBlock       // thisOrNext, with the block that this line opens
)

func anything(string) bool          { return true }
func security(category string) bool { return taxonomy.About(category).Security }
func secret(category string) bool   { return category == "secrets" }

// comment makes a pattern for a mark inside a comment.
func comment(mark string) *regexp.Regexp {
	return regexp.MustCompile(`(?:#|//|/\*|<!--|\{/\*|--).{0,200}?` + mark)
}

const list = `[\w./@-]+(?:[ \t]*,[ \t]*[\w./@-]+)*`

// tools are the checkers whose marks are honoured, as their manuals describe them.
var tools = []tool{
	{name: "nosec", mark: comment(`#?\s?nosec\b:?[ \t]*((?:[BG]\d{3}\b[, \t]*)*)`), reach: thisOrNext, bare: security, named: codes},
	{name: "noqa", mark: comment(`\bnoqa\b(?::[ \t]*((?:[A-Z]+\d+\b[, \t]*)+))`), named: codes},
	{name: "NOSONAR", mark: comment(`\bNOSONAR\b()`), bare: anything},
	{name: "nolint", mark: comment(`\bnolint\b(?::(` + list + `))?`), reach: lineOrBlock, bare: anything, named: linters},
	{name: "nosemgrep", mark: comment(`\bnosem(?:grep)?\b()`), reach: thisOrNext, bare: security},
	{name: "eslint-disable-line", mark: comment(`\beslint-disable-line\b[ \t]*(` + list + `)?`), bare: anything, named: eslint},
	{name: "eslint-disable-next-line", mark: comment(`\beslint-disable-next-line\b[ \t]*(` + list + `)?`), reach: nextLine,
		bare: anything, named: eslint},
	{name: "eslint-disable", mark: regexp.MustCompile(`/\*\s*eslint-disable(?:\s+(` + list + `))?\s*(?:--.*)?\*/`), reach: toEnd,
		end: regexp.MustCompile(`/\*\s*eslint-enable\b`), bare: anything, named: eslint},
	{name: "pylint: disable", mark: comment(`\bpylint:[ \t]*disable=(` + list + `)`), named: linters},
	{name: "rubocop:disable", mark: comment(`\brubocop:disable[ \t]+(` + list + `)`), named: linters},
	{name: "gitleaks:allow", mark: comment(`\bgitleaks:allow\b()`), bare: secret},
	{name: "pragma: allowlist secret", mark: comment(`\bpragma:[ \t]*allowlist[ -]secret\b()`), bare: secret},
	{name: "#pragma warning disable", mark: regexp.MustCompile(`^\s*#pragma\s+warning\s+disable\s+(` + list + `)`), reach: toEnd,
		end: regexp.MustCompile(`^\s*#pragma\s+warning\s+restore\b`), named: analyzers},
	{name: "shellcheck disable", mark: comment(`\bshellcheck[ \t]+disable=(` + list + `)`), reach: thisOrNext, named: analyzers},
	{name: "@SuppressWarnings", mark: regexp.MustCompile(`^\s*@SuppressWarnings\s*\(\s*(.*)\)`), reach: declaration, named: patterns},
	{name: "@SuppressFBWarnings", mark: regexp.MustCompile(`^\s*@SuppressFBWarnings\s*\(\s*(.*)\)`), reach: declaration, named: patterns},
}

// words reads a table of lines "categories: codes".
func words(table string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(table) {
		categories, codes, _ := strings.Cut(line, ":")
		for code := range strings.FieldsSeq(codes) {
			all[code] = append(all[code], strings.Fields(categories)...)
		}
	}
	return all
}

// byCode holds the codes of bandit (B, and S in flake8 and ruff), gosec (G), flake8 and its bugbear.
var byCode = words(`
injection: B102 B307 B601 B602 B603 B604 B605 B606 B607 B608 B609 B610 B611 G201 G202 G204
secrets: B105 B106 B107 G101
xss: B308 B701 B702 B703 B704 G203
deserialization: B301 B302 B403 B506 B614
weak-crypto: B303 B304 B305 B311 B323 B324 B501 B502 B503 B504 B505 B507 G401 G402 G403 G404 G405 G406 G407 G501 G502 G503 G505
configuration: B103 B104 B113 B201 B323 B501 G102 G103 G108 G112 G114 G301 G302 G306 G402
auth: B323 B501 B507 G106
xxe: B313 B314 B315 B316 B317 B318 B319 B320 B405 B406 B407 B408 B409 B410
path-traversal: B108 B202 B306 G304 G305 G110
concurrency: B108 B306 G303
ssrf: B310 G107 G704
redirect: G710
memory-safety: G115 G602
off-by-one: G602
error-handling: B110 B112 G104 E722 BLE001 SIM105 B012 B904
api-misuse: B006 B008 PLW1510 G104
resource-leak: SIM115 G307
test-quality: B011
dead-code: B007
comparison: E711 E712 F632 PLR0124
`)

func codes(code string) []string {
	if rest, ok := strings.CutPrefix(code, "S"); ok && len(rest) == 3 {
		code = "B" + rest
	}
	return byCode[code]
}

// byLinter holds linters of golangci-lint, messages of pylint and cops of RuboCop.
var byLinter = words(`
error-handling: errcheck errorlint nilerr errchkjson broad-except broad-exception-caught bare-except W0702 W0703 W0718 lost-exception
error-handling: Lint/SuppressedException Lint/RescueException Style/RescueStandardError
api-misuse: dangerous-default-value W0102 subprocess-run-check W1510 govet staticcheck
resource-leak: bodyclose sqlclosecheck rowserrcheck consider-using-with R1732
injection: exec-used eval-used W0122 W0123 Security/Eval Security/Open Security/CompoundHash
deserialization: Security/MarshalLoad Security/YAMLLoad Security/JSONLoad
concurrency: global-statement W0603 govet copyloopvar
dead-code: unreachable W0101 unused ineffassign govet staticcheck
comparison: comparison-with-itself R0124 literal-comparison R0123 Lint/AssignmentInCondition staticcheck
logic: staticcheck modified-iterating-list modified-iterating-dict
configuration: noctx
`)

func linters(name string) []string {
	switch {
	case name == "all":
		return taxonomy.Categories()
	case name == "gosec":
		var all []string
		for _, c := range taxonomy.Categories() {
			if security(c) || c == "concurrency" || c == "error-handling" {
				all = append(all, c)
			}
		}
		return all
	}
	return byLinter[name]
}

// byESLint holds rules of ESLint and of its plugins security, no-unsanitized, react and typescript-eslint.
var byESLint = words(`
injection: security/detect-child-process security/detect-eval-with-expression no-eval no-implied-eval no-new-func
injection: security/detect-non-literal-regexp security/detect-unsafe-regex security/detect-object-injection no-script-url
path-traversal: security/detect-non-literal-fs-filename security/detect-non-literal-require
xss: no-unsanitized/property no-unsanitized/method react/no-danger react/no-danger-with-children vue/no-v-html no-script-url
weak-crypto: security/detect-pseudoRandomBytes security/detect-insecure-randomness
auth: security/detect-possible-timing-attacks
weak-crypto: security/detect-possible-timing-attacks
csrf: security/detect-no-csrf-before-method-override
secrets: no-secrets/no-secrets
error-handling: no-empty no-unsafe-finally
comparison: no-cond-assign eqeqeq no-self-compare no-constant-condition use-isnan valid-typeof no-constant-binary-expression
concurrency: @typescript-eslint/no-floating-promises @typescript-eslint/no-misused-promises require-atomic-updates
concurrency: no-async-promise-executor require-await
dead-code: no-unreachable no-unused-vars @typescript-eslint/no-unused-vars
logic: array-callback-return consistent-return react/no-direct-mutation-state
test-quality: jest/no-focused-tests jest/expect-expect jest/no-disabled-tests mocha/no-exclusive-tests
`)

func eslint(rule string) []string { return byESLint[rule] }

// byAnalyzer holds rules of the .NET analyzers, of Security Code Scan, of Sonar for C#, and of ShellCheck.
var byAnalyzer = words(`
injection: CA2100 CA3001 CA3005 CA3006 CA3008 CA3010 CA3011 SCS0001 SCS0002 SCS0003 SCS0026 SCS0031 EF1000 EF1002 S2077 S3649 S2076
xss: CA3002 SCS0029
path-traversal: CA3003 CA5389 SCS0018
xxe: CA3075 CA3076 CA3077 SCS0007
redirect: CA3007 SCS0027
deserialization: CA2300 CA2301 CA2302 CA2305 CA2310 CA2311 CA2315 CA2321 CA2322 CA2326 CA2327 CA2328 SYSLIB0011 SCS0028
weak-crypto: CA5350 CA5351 CA5358 CA5379 CA5384 CA5385 CA5387 CA5394 CA5401 CA5403 SCS0005 SCS0006 SCS0010 SCS0012 S2245 S4790 S5547
configuration: CA5359 CA5382 CA5383 CA5386 CA5397 CA5398 CA5399 SCS0004 SCS0008 SCS0009 S4830
auth: CA5359 SCS0004 S4830
secrets: CA5390 SCS0015 S2068 S6418
error-handling: CA1031 CA2200 S108 S2486 SC2155 SC2164
resource-leak: CA2000 CA1001 S2930
concurrency: CA2002 S2551
api-misuse: CA2241 CA2200 SC2086 SC2046 SC2030 SC2031 SC2115
logic: SC2115 SC2086 SC2071 SC2031 SC2094
comparison: SC2071 SC1035 SC1106 SC2077
`)

func analyzers(code string) []string { return byAnalyzer[code] }

// byPattern holds beginnings of FindSecBugs' and SpotBugs' patterns, and Sonar's keys for Java.
var byPattern = words(`
injection: SQL_ COMMAND_INJECTION LDAP_INJECTION XPATH_INJECTION SCRIPT_ENGINE_INJECTION SPEL_INJECTION EL_INJECTION
injection: S2077 S3649 S2076 S2078 S4721
xss: XSS_ S5131
path-traversal: PATH_TRAVERSAL WEAK_FILENAMEUTILS FILE_UPLOAD S2083 S6549
xxe: XXE_ XML_DECODER S2755
deserialization: OBJECT_DESERIALIZATION JACKSON_UNSAFE S5135 S2658
ssrf: URLCONNECTION_SSRF S5144
redirect: UNVALIDATED_REDIRECT SPRING_UNVALIDATED_REDIRECT S5146
weak-crypto: WEAK_ PREDICTABLE_RANDOM CIPHER_ DES_ ECB_MODE STATIC_IV PADDING_ORACLE RSA_ S2245 S4790 S5542 S5547 S4830 S2257 S4426
secrets: HARD_CODE_ DMI_CONSTANT_DB_PASSWORD DMI_EMPTY_DB_PASSWORD S2068 S6418
configuration: INSECURE_COOKIE HTTPONLY_COOKIE S2092 S3330
error-handling: DE_MIGHT_IGNORE REC_CATCH_EXCEPTION RV_RETURN_VALUE_IGNORED EmptyCatchBlock S108 S1166 S1143 S2486
resource-leak: OS_OPEN_STREAM ODR_OPEN_DATABASE_RESOURCE OBL_UNSATISFIED_OBLIGATION resource S2095
concurrency: DC_DOUBLECHECK IS2_INCONSISTENT_SYNC STCAL_ RU_INVOKE_RUN DL_SYNCHRONIZATION S2168 S2885 S1217
comparison: ES_COMPARING RC_REF_COMPARISON StringEquality NumberEquality S4973
api-misuse: HE_EQUALS EqualsHashCode ReturnValueIgnored RV_ S1206 S899
null-dereference: NP_ S2259
`)

// patterns reads a value of a Java annotation: "java:S2077", "squid:S2077", "SQL_NONCONSTANT_STRING", "all".
func patterns(value string) []string {
	if value == "all" {
		return taxonomy.Categories()
	}
	_, key, ok := strings.Cut(value, ":")
	if !ok {
		key = value
	}
	if about, ok := byPattern[key]; ok {
		return about
	}
	var all []string
	for start, about := range byPattern { // order does not matter: they are looked through
		if strings.Contains(start, "_") && strings.HasPrefix(key, start) {
			all = append(all, about...)
		}
	}
	return all
}
