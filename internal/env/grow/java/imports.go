package java

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
