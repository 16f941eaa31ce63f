// Package java holds the templates that Java projects are grown from.
//
// Training: a service over records in a SQL database, and a batch that imports files and writes statements. Held out:
// a relay that hands events to plugins, and a command-line tool over measurements. The four share no text with each other.
//
// A template lists the files of an endless project, each needing only files listed before it; a project of n files is
// the first n of that list, so every size holds together.
//
// Invariant: the projects are right: what a careful reader could report in them was planted later. Nothing here is
// compiled or run by the tests, which parse the files and resolve their names.
package java

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// Templates lists the templates.
func Templates() []grow.Template {
	return []grow.Template{
		{Name: "java/record-service", Language: "java", Split: env.Train, About: "records in a SQL database behind small HTTP handlers", Grow: growService},
		{Name: "java/batch-import", Language: "java", Split: env.Train, About: "files of rows read, checked, added up and written out", Grow: growBatch},
		{Name: "java/event-relay", Language: "java", Split: env.Heldout, About: "a queue of events handed to plugins", Grow: growRelay},
		{Name: "java/gauge-tool", Language: "java", Split: env.Heldout, About: "a command line over measurements, with a cache and timers", Grow: growGauge},
	}
}

// project is one project while it is grown.
type project struct {
	grow.Spec
	base     string // package of the whole project: "com.acme.library"
	entities []grow.Entity
	files    []file
	packages map[string]string // package of each class of the project
}

// file is one planned file.
type file struct {
	path  string
	pkg   string        // "" for one that is not Java
	write func() string // the text, for Java without package and imports
}

func newProject(s grow.Spec, group string, perEntity int) *project {
	p := &project{Spec: s, base: group + "." + strings.ReplaceAll(s.Name, "_", ""), packages: map[string]string{}}
	p.entities = s.Domain.Entities(s.Rand, 2+s.Files/perEntity)
	return p
}

// full says that enough files are planned.
func (p *project) full() bool { return len(p.files) >= p.Files }

// plain plans a file that is not Java.
func (p *project) plain(path string, write func() string) {
	if !p.full() {
		p.files = append(p.files, file{path: path, write: write})
	}
}

// class plans a Java class in a package below the base.
func (p *project) class(pkg, name string, write func() string) {
	p.java("src/main/java/", pkg, name, write)
}

// test plans a test class.
func (p *project) test(pkg, name string, write func() string) {
	p.java("src/test/java/", pkg, name, write)
}

func (p *project) java(root, pkg, name string, write func() string) {
	if p.full() {
		return
	}
	full := p.base
	if pkg != "" {
		full += "." + pkg
	}
	p.packages[name] = full
	p.files = append(p.files, file{path: root + strings.ReplaceAll(full, ".", "/") + "/" + name + ".java", pkg: full, write: write})
}

// texts writes all planned files.
func (p *project) texts() map[string]string {
	out := make(map[string]string, len(p.files))
	for _, f := range p.files {
		text := f.write()
		if f.pkg != "" {
			text = p.header(f.pkg, text) + text
		}
		out[f.path] = text
	}
	return out
}

// header is the package line and the imports that a text needs.
func (p *project) header(pkg, text string) string {
	used := map[string]bool{}
	for _, name := range mentioned(text) {
		if from, ok := p.packages[name]; ok {
			if from != pkg {
				used["import "+from+"."+name+";"] = true
			}
			continue
		}
		if from, ok := library[name]; ok {
			used["import "+from+"."+name+";"] = true
		}
		if from, ok := staticLibrary[name]; ok {
			used["import static "+from+"."+name+";"] = true
		}
	}
	lines := slices.Sorted(maps.Keys(used))
	slices.SortStableFunc(lines, func(a, b string) int { return group(a) - group(b) })
	var b strings.Builder
	fmt.Fprintf(&b, "package %s;\n\n", pkg)
	for i, line := range lines {
		if i > 0 && group(line) != group(lines[i-1]) {
			b.WriteString("\n")
		}
		b.WriteString(line + "\n")
	}
	if len(lines) > 0 {
		b.WriteString("\n")
	}
	return b.String()
}

// group orders imports: static ones, other people's and the project's, the platform's.
func group(line string) int {
	switch {
	case strings.HasPrefix(line, "import static"):
		return 0
	case strings.HasPrefix(line, "import java"):
		return 2
	}
	return 1
}

// library says where the classes of the platform are that templates use, java.lang left out.
var library = packages(map[string]string{
	"java.io":                     "BufferedInputStream BufferedReader BufferedWriter ByteArrayInputStream ByteArrayOutputStream IOException InputStream InputStreamReader ObjectInputFilter ObjectInputStream ObjectOutputStream OutputStream PrintStream Reader Serializable StringReader StringWriter UncheckedIOException Writer",
	"java.math":                   "BigDecimal RoundingMode",
	"java.net":                    "InetAddress URI URISyntaxException URLEncoder",
	"java.net.http":               "HttpClient HttpRequest HttpResponse",
	"java.nio.charset":            "StandardCharsets",
	"java.nio.file":               "AtomicMoveNotSupportedException Files NoSuchFileException Path StandardCopyOption StandardOpenOption",
	"java.security":               "GeneralSecurityException MessageDigest NoSuchAlgorithmException SecureRandom",
	"java.security.spec":          "InvalidKeySpecException",
	"java.sql":                    "Connection PreparedStatement ResultSet SQLException",
	"java.time":                   "Clock Duration Instant LocalDate ZoneOffset",
	"java.time.format":            "DateTimeFormatter DateTimeParseException",
	"java.util":                   "ArrayDeque ArrayList Arrays Base64 Collection Collections Comparator Deque EnumMap HashMap HashSet HexFormat Iterator LinkedHashMap LinkedHashSet List Locale Map NavigableMap NoSuchElementException Objects Optional OptionalDouble OptionalLong PriorityQueue Properties Random Set StringJoiner TreeMap UUID",
	"java.util.concurrent":        "BlockingQueue Callable ConcurrentHashMap ConcurrentMap CountDownLatch ExecutionException ExecutorService Executors Future LinkedBlockingQueue ScheduledExecutorService ScheduledFuture TimeUnit TimeoutException",
	"java.util.concurrent.atomic": "AtomicBoolean AtomicInteger AtomicLong AtomicReference LongAdder",
	"java.util.concurrent.locks":  "Condition Lock ReentrantLock ReentrantReadWriteLock",
	"java.util.function":          "BiConsumer BiFunction Consumer Function LongSupplier Predicate Supplier ToDoubleFunction ToLongFunction",
	"java.util.logging":           "Level Logger",
	"java.util.regex":             "Matcher Pattern",
	"java.util.stream":            "Collectors IntStream Stream",
	"javax.crypto":                "Mac SecretKeyFactory",
	"javax.crypto.spec":           "PBEKeySpec SecretKeySpec",
	"javax.sql":                   "DataSource",
	"javax.xml.parsers":           "DocumentBuilder DocumentBuilderFactory ParserConfigurationException",
	"org.w3c.dom":                 "Document Element NodeList",
	"org.xml.sax":                 "SAXException",
	"org.junit.jupiter.api":       "BeforeEach Test",
	"org.junit.jupiter.api.io":    "TempDir",
})

// staticLibrary says where the assertions of tests are.
var staticLibrary = packages(map[string]string{
	"org.junit.jupiter.api.Assertions": "assertEquals assertFalse assertNotEquals assertNull assertThrows assertTrue",
})

func packages(byPackage map[string]string) map[string]string {
	out := map[string]string{}
	for pkg, names := range byPackage {
		for name := range strings.FieldsSeq(names) {
			out[name] = pkg
		}
	}
	return out
}

// mentioned lists the words of a Java text outside of literals and comments that stand behind no dot.
func mentioned(text string) []string {
	var words []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case strings.HasPrefix(text[i:], "//"):
			i += skip(text[i:], "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i += skip(text[i:], "*/")
		case strings.HasPrefix(text[i:], `"""`):
			i += 3 + skip(text[i+3:], `"""`)
		case c == '"' || c == '\'':
			i++
			for i < len(text) && text[i] != c {
				if text[i] == '\\' {
					i++
				}
				i++
			}
			i++
		case letter(c):
			from := i
			for i < len(text) && (letter(text[i]) || text[i] >= '0' && text[i] <= '9') {
				i++
			}
			if from == 0 || text[from-1] != '.' {
				words = append(words, text[from:i])
			}
		default:
			i++
		}
	}
	return words
}

func letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// skip is how far a text goes up to the end of a mark.
func skip(text, mark string) int {
	if i := strings.Index(text, mark); i >= 0 {
		return i + len(mark)
	}
	return len(text)
}

// one chooses among variants of one thing.
func (p *project) one(variants ...string) string { return variants[p.Rand.IntN(len(variants))] }

// maybe gives the text, or nothing, in some share of cases.
func (p *project) maybe(percent int, text string) string {
	if p.Rand.IntN(100) < percent {
		return text
	}
	return ""
}

// body writes a class: its declaration, its fields, the members that come first and others in some order.
func (p *project) body(declaration, fields string, first []string, others ...string) string {
	others = slices.DeleteFunc(slices.Clone(others), func(s string) bool { return s == "" })
	shuffle(p.Rand, others)
	var parts []string
	for _, s := range slices.Concat([]string{fields}, first, others) {
		if s = strings.Trim(s, "\n"); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Trim(declaration, "\n") + " {\n" + strings.Join(parts, "\n\n") + "\n}\n"
}

func shuffle[T any](r *rand.Rand, s []T) {
	for i := len(s) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		s[i], s[j] = s[j], s[i]
	}
}

// fill replaces names that start with a dollar sign by their values: fill(text, "$Type", "Loan", ...).
func fill(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }
