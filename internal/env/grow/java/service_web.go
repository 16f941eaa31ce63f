package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

func (t *service) request() string {
	return `/** One request: who asks, for what, with which parameters. The user was authenticated before. */
public record Request(String user, String method, String path, Map<String, String> parameters) {
    public Request {
        parameters = Map.copyOf(parameters);
    }

    /** A parameter that must be there. Throws IllegalArgumentException without it. */
    public String required(String name) {
        String value = parameters.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("parameter " + name + " is missing");
        }
        return value;
    }

    /** A parameter that is a number, or the fallback when it is absent. */
    public int number(String name, int fallback) {
        String value = parameters.get(name);
        if (value == null || value.isEmpty()) {
            return fallback;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("parameter " + name + " is no number", e);
        }
    }

    /** The number at the end of the path. */
    public long id() {
        String last = path.substring(path.lastIndexOf('/') + 1);
        try {
            return Long.parseLong(last);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no number in " + path, e);
        }
    }
}
`
}

func (t *service) response() string {
	return `/** What a handler answers. */
public record Response(int status, String type, String body) {
    public static Response html(String body) {
        return new Response(200, "text/html; charset=utf-8", body);
    }

    public static Response json(String body) {
        return new Response(200, "application/json", body);
    }

    /** A short plain text with a status. */
    public static Response plain(int status, String message) {
        return new Response(status, "text/plain; charset=utf-8", message + "\n");
    }
}
`
}

func (t *service) router() string {
	return t.body("/** Finds the handler of a path by its first part. Handlers may be added while requests are answered. */\npublic final class Router", `
    private static final Logger LOG = Logger.getLogger(Router.class.getName());

    private final Map<String, Function<Request, Response>> handlers = new ConcurrentHashMap<>();`, nil, `
    /** Registers a handler. Throws IllegalStateException when the part is taken. */
    public void add(String part, Function<Request, Response> handler) {
        if (handlers.putIfAbsent(part, handler) != null) {
            throw new IllegalStateException("two handlers for " + part);
        }
    }`, `
    /** Answers a request; what handlers throw becomes a status. */
    public Response route(Request request) {
        Function<Request, Response> handler = handlers.get(first(request.path()));
        if (handler == null) {
            return Response.plain(404, "nothing here");
        }
        try {
            return handler.apply(request);
        } catch (IllegalArgumentException e) {
            return Response.plain(400, e.getMessage());
        } catch (SecurityException e) {
            return Response.plain(403, "not allowed");
        } catch (NoSuchElementException e) {
            return Response.plain(404, "no such record");
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, "request failed", e);
            return Response.plain(500, "something went wrong");
        }
    }`, `
    private static String first(String path) {
        String[] parts = path.split("/");
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].isEmpty()) {
                return parts[i];
            }
        }
        return "";
    }`)
}

// handler answers requests for an entity.
func (t *service) handler(e grow.Entity) string {
	return t.body(t.fill("/** Answers requests below /$key. */\npublic final class $TypeHandler", e), t.fill(`
    private final $TypeStore store;
    private final $TypeService service;
    private final Access access;
    private final AuditLog audit;`, e), []string{t.fill(`
    public $TypeHandler($TypeStore store, $TypeService service, Access access, AuditLog audit) {
        this.store = store;
        this.service = service;
        this.access = access;
        this.audit = audit;
    }`, e)}, t.fill(`
    public Response handle(Request request) {
        return switch (request.method()) {
            case "GET" -> request.path().endsWith("/list") ? list(request) : show(request);
            case "POST" -> rename(request);
            case "DELETE" -> remove(request);
            default -> Response.plain(405, "no such method");
        };
    }`, e), t.fill(`
    private Response list(Request request) {
        int limit = request.number("limit", 20);
        return Response.html($TypePage.list(service.list(request.user(), limit)));
    }`, e), t.fill(t.one(`
    private Response show(Request request) {
        $Type $var = store.require(request.id());
        if (!$var.belongsTo(request.user()) && !access.canReadAll(request.user())) {
            throw new SecurityException("not the owner's request");
        }
        return Response.html($TypePage.show($var));
    }`, `
    private Response show(Request request) {
        $Type $var = store.require(request.id());
        boolean own = $var.owner().equals(request.user());
        if (!own && !access.canReadAll(request.user())) {
            return Response.plain(403, "not yours");
        }
        return Response.html($TypePage.show($var));
    }`), e), t.fill(`
    private Response rename(Request request) {
        String $text = request.required("$column");
        audit.note(request.user(), "rename $label", String.valueOf(request.id()));
        service.rename(request.user(), request.id(), $text);
        return Response.plain(200, "renamed");
    }`, e), t.fill(`
    private Response remove(Request request) {
        String owner = store.require(request.id()).owner();
        if (!access.canEdit(request.user(), owner)) {
            throw new SecurityException("may not remove");
        }
        audit.note(request.user(), "remove $label", String.valueOf(request.id()));
        try {
            store.$removal;
        } catch (SQLException e) {
            throw new IllegalStateException("cannot remove $label " + request.id(), e);
        }
        return Response.plain(200, "removed");
    }`, e, "$removal", "removeAll(List.of(request.id()))"))
}

// page renders an entity as HTML.
func (t *service) page(e grow.Entity) string {
	rows := each(e.Fields, "\n", func(_ int, f grow.Field) string {
		get := camel(e.Name) + "." + camel(f.Name) + "()"
		switch f.Kind {
		case grow.Cents:
			if c, _ := first(e, grow.Cents); c.Name == f.Name {
				get = camel(e.Name) + "." + camel(f.Name) + "Text()"
			}
		case grow.Count, grow.Ratio, grow.Flag, grow.Time: // nothing to escape in numbers
		case grow.Tags:
			get = `Html.escape(String.join(", ", ` + get + "))"
		default:
			get = "Html.escape(" + get + ")"
		}
		return fmt.Sprintf("        page.append(\"<dt>%s</dt><dd>\").append(%s).append(\"</dd>\\n\");", words(f.Name), get)
	})
	return t.body(t.fill("/** Shows $table as pages. */\npublic final class $TypePage", e), "", []string{t.fill(`
    private $TypePage() {
    }`, e)}, t.fill(`
    /** One record with all its fields. */
    public static String show($Type $var) {
        StringBuilder page = new StringBuilder("<dl>\n");
$rows
        page.append("</dl>\n");
        return Html.page("$label " + $var.id(), page.toString());
    }`, e, "$rows", rows), t.fill(t.one(`
    /** Records as a list of links. */
    public static String list(List<$Type> records) {
        StringBuilder page = new StringBuilder("<ul>\n");
        for ($Type $var : records) {
            page.append("<li><a href=\"/$key/").append($var.id()).append("\">");
            page.append(Html.escape($var.$text()));
            page.append("</a></li>\n");
        }
        page.append("</ul>\n");
        return Html.page("$table", page.toString());
    }`, `
    /** Records as a table, one row each. */
    public static String list(List<$Type> records) {
        StringBuilder page = new StringBuilder("<table>\n");
        for (int i = 0; i < records.size(); i++) {
            $Type $var = records.get(i);
            page.append("<tr><td>").append(i + 1).append("</td><td>");
            page.append(Html.escape($var.$text())).append("</td></tr>\n");
        }
        return Html.page("$table", page.append("</table>\n").toString());
    }`), e))
}

// cache keeps records of an entity for a while.
func (t *service) cache(e grow.Entity) string {
	return t.body(t.fill("/** Keeps $table that were read lately. */\npublic final class $TypeCache", e), t.fill(`
    private final TtlCache<$Type> cache;
    private final $TypeStore store;
    private final Duration ttl;`, e), []string{t.fill(`
    public $TypeCache(TtlCache<$Type> cache, $TypeStore store, Duration ttl) {
        this.cache = cache;
        this.store = store;
        this.ttl = ttl;
    }`, e)}, t.fill(t.one(`
    /** A record, from the cache where it is fresh. Throws NoSuchElementException when there is none. */
    public $Type get(long id) {
        String key = key(id);
        Optional<$Type> cached = cache.get(key);
        if (cached.isPresent()) {
            return cached.get();
        }
        $Type $var = store.require(id);
        cache.put(key, $var, ttl.toMillis());
        return $var;
    }`, `
    /** A record, read again once it is older than the cache allows. */
    public $Type get(long id) {
        return cache.get(key(id)).orElseGet(() -> load(id));
    }

    private $Type load(long id) {
        $Type $var = store.require(id);
        cache.put(key(id), $var, ttl.toMillis());
        return $var;
    }`), e), t.fill(`
    /** Writes another $text and forgets the old record; false when there is no such record. */
    public boolean rename(long id, String $text) {
        boolean there = store.rename(id, $text);
        cache.remove(key(id));
        return there;
    }`, e), t.fill(`
    private static String key(long id) {
        return "$key:" + id;
    }`, e))
}

// form reads an entity out of a request.
func (t *service) form(e grow.Entity) string {
	var reads, parsers []string
	seen := map[grow.Kind]bool{}
	help := func(kind grow.Kind, text string) {
		if !seen[kind] {
			seen[kind] = true
			parsers = append(parsers, text)
		}
	}
	args := each(e.Fields, ", ", func(_ int, f grow.Field) string {
		v := camel(f.Name)
		switch f.Kind {
		case grow.Text:
			reads = append(reads, fmt.Sprintf("        String %s = text(request.required(%q));", v, f.Name))
			help(grow.Text, `
    private static String text(String value) {
        String text = value.strip();
        if (text.length() > MAX_TEXT) {
            throw new IllegalArgumentException("longer than " + MAX_TEXT + " characters");
        }
        return text;
    }`)
		case grow.Email:
			reads = append(reads, fmt.Sprintf("        String %s = address(request.required(%q));", v, f.Name))
			help(grow.Email, `
    private static String address(String value) {
        int at = value.indexOf('@');
        if (at < 1 || at == value.length() - 1) {
            throw new IllegalArgumentException("no mail address: " + value);
        }
        return value.toLowerCase(Locale.ROOT);
    }`)
		case grow.Cents:
			reads = append(reads, fmt.Sprintf("        long %s = cents(request.required(%q));", v, f.Name))
			help(grow.Cents, `
    /** Reads an amount such as 12.50 as cents. */
    private static long cents(String value) {
        try {
            return new BigDecimal(value).movePointRight(2).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("no amount: " + value, e);
        }
    }`)
		case grow.Count:
			reads = append(reads, fmt.Sprintf("        int %s = Math.max(0, request.number(%q, 0));", v, f.Name))
		case grow.Ratio:
			reads = append(reads, fmt.Sprintf("        double %s = ratio(request.required(%q));", v, f.Name))
			help(grow.Ratio, `
    private static double ratio(String value) {
        double ratio = Double.parseDouble(value);
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("not between 0 and 1: " + value);
        }
        return ratio;
    }`)
		case grow.Time:
			reads = append(reads, fmt.Sprintf("        Instant %s = moment(request.required(%q));", v, f.Name))
			help(grow.Time, `
    private static Instant moment(String value) {
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("no moment: " + value, e);
        }
    }`)
		case grow.Flag:
			reads = append(reads, fmt.Sprintf("        boolean %s = \"on\".equals(request.parameters().get(%q));", v, f.Name))
		case grow.State:
			reads = append(reads, fmt.Sprintf("        String %s = request.required(%q);\n        if (!%s.%s.contains(%s)) {\n            throw new IllegalArgumentException(\"no such %s: \" + %s);\n        }",
				v, f.Name, pascal(e.Name), strings.ToUpper(plural(f.Name)), v, f.Name, v))
		case grow.Tags:
			reads = append(reads, fmt.Sprintf("        List<String> %s = tags(request.parameters().get(%q));", v, f.Name))
			help(grow.Tags, `
    private static List<String> tags(String value) {
        if (value == null || value.isBlank()) {
            return List.of();
        }
        String[] words = value.split(",");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].strip();
        }
        return List.of(words);
    }`)
		}
		return v
	})
	return t.body(t.fill("/** Reads $aLabel out of a request. */\npublic final class $TypeForm", e), "    private static final int MAX_TEXT = "+t.one("120", "200", "255")+";", []string{t.fill(`
    private $TypeForm() {
    }`, e), t.fill(`
    /** The new record that a request asks for, owned by its user. Throws IllegalArgumentException for what is no good. */
    public static $Type read(Request request) {
$reads
        return new $Type(0, request.user(), $args);
    }`, e, "$reads", strings.Join(reads, "\n"), "$args", args)}, parsers...)
}

func (t *service) formTest(e grow.Entity) string {
	return t.body(t.fill("class $TypeFormTest", e), "", nil, t.fill(`
    @Test
    void wantsItsParameters() {
        Request empty = new Request("ada", "POST", "/$key", Map.of());
        assertThrows(IllegalArgumentException.class, () -> $TypeForm.read(empty));
    }`, e), t.fill(`
    @Test
    void refusesLongText() {
        Request request = new Request("ada", "POST", "/$key", Map.of("$column", "x".repeat(1_000)));
        assertThrows(IllegalArgumentException.class, () -> $TypeForm.read(request));
    }`, e))
}

// json writes an entity as JSON.
func (t *service) json(e grow.Entity) string {
	rows := each(e.Fields, "\n", func(_ int, f grow.Field) string {
		get := camel(e.Name) + "." + camel(f.Name) + "()"
		switch f.Kind {
		case grow.Cents, grow.Count, grow.Ratio, grow.Flag:
		case grow.Time:
			get = get + ".getEpochSecond()"
		case grow.Tags:
			get = `quote(String.join(",", ` + get + "))"
		default:
			get = "quote(" + get + ")"
		}
		return fmt.Sprintf("        out.append(\",\\\"%s\\\":\").append(%s);", f.Name, get)
	})
	return t.body(t.fill("/** Writes $table as JSON. */\npublic final class $TypeJson", e), "", []string{t.fill(`
    private $TypeJson() {
    }`, e)}, t.fill(`
    public static String write($Type $var) {
        StringBuilder out = new StringBuilder("{\"id\":").append($var.id());
        out.append(",\"owner\":").append(quote($var.owner()));
$rows
        return out.append("}").toString();
    }`, e, "$rows", rows), t.fill(`
    /** An array of records, in the order given. */
    public static String write(List<$Type> records) {
        StringJoiner out = new StringJoiner(",", "[", "]");
        for (int i = 0; i < records.size(); i++) {
            out.add(write(records.get(i)));
        }
        return out.toString();
    }`, e), `
    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }`)
}
