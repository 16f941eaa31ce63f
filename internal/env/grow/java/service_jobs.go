package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// retryPolicy tries things again.
func (t *service) retryPolicy() string {
	return t.body("/** Tries something again while it fails with an IOException. */\npublic final class RetryPolicy", `
    /** Something that may fail. */
    @FunctionalInterface
    public interface Action<T> {
        T run() throws IOException;
    }

    private final int attempts;
    private final long pauseMillis;`, []string{`
    public RetryPolicy(int attempts, long pauseMillis) {
        if (attempts < 1) {
            throw new IllegalArgumentException("one attempt at least");
        }
        this.attempts = attempts;
        this.pauseMillis = pauseMillis;
    }`, `
    /** The result of the first attempt that works; the failure of the last one otherwise. */
    public <T> T call(Action<T> action) throws IOException {
        IOException last = null;
        for (int i = 0; i < attempts; i++) {
            try {
                return action.run();
            } catch (IOException e) {
                last = e;
                if (i < attempts - 1) {
                    pause(i);
                }
            }
        }
        throw last;
    }`, `
    private void pause(int attempt) throws IOException {
        try {
            Thread.sleep(pauseMillis << Math.min(attempt, 6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }`})
}

// client asks another service for records of an entity.
func (t *service) client(e grow.Entity) string {
	return t.body(t.fill("/** Asks the registry of the $table. */\npublic final class $TypeClient", e), fmt.Sprintf(`
    private static final Duration TIMEOUT = Duration.ofSeconds(%s);

    private final HttpClient http;
    private final URI base;
    private final String key;
    private final RetryPolicy retries;`, t.one("5", "10", "15")), []string{t.fill(`
    public $TypeClient(HttpClient http, URI base, String key, RetryPolicy retries) {
        this.http = http;
        this.base = base;
        this.key = key;
        this.retries = retries;
    }`, e)}, t.fill(`
    /** The registry's text about one record. Throws IOException when it has none. */
    public String fetch(long id) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("$key/" + id)).timeout(TIMEOUT).header("X-Api-Key", key).build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("registry answered " + response.statusCode());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }`, e), t.fill(`
    /** Whether the registry knows a record. */
    public boolean knows(long id) {
        try {
            return !fetch(id).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("registry of $table", e);
        }
    }`, e), t.fill(`
    /** The texts of some records, in that order. */
    public List<String> fetchAll(List<Long> ids) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            long id = ids.get(i);
            texts.add(retries.call(() -> fetch(id)));
        }
        return texts;
    }`, e))
}

// cleanup looks through an entity's records from time to time.
func (t *service) cleanup(e grow.Entity) string {
	moment, grace := "", ""
	if f, ok := first(e, grow.Time); ok {
		moment = t.fill(`
    /** Whether a record's time is over by more than the grace period. */
    public boolean over($Type $var) {
        return $var.$field() != null && $var.$field().plus(GRACE).isBefore(clock.instant());
    }`, e, "$field", camel(f.Name))
		grace = "    private static final Duration GRACE = Duration.ofHours(" + t.one("1", "6", "12", "24") + ");\n"
	}
	return t.body(t.fill("/** Refreshes the $table that users keep asking for. */\npublic final class $TypeCleanup implements Runnable", e), fmt.Sprintf(`
    private static final Logger LOG = Logger.getLogger(%sCleanup.class.getName());
%s    private static final int BATCH = %s;

    private final %sCache cache;
    private final Clock clock;
    private final Set<Long> wanted = new LinkedHashSet<>();`, pascal(e.Name), grace, t.one("20", "50", "80"), pascal(e.Name)), []string{t.fill(`
    public $TypeCleanup($TypeCache cache, Clock clock) {
        this.cache = cache;
        this.clock = clock;
    }`, e)}, `
    /** Asks for a record to be looked at in the next round. */
    public synchronized void want(long id) {
        wanted.add(id);
    }`, `
    private synchronized List<Long> take() {
        List<Long> ids = new ArrayList<>(wanted);
        List<Long> batch = List.copyOf(ids.subList(0, Math.min(BATCH, ids.size())));
        batch.forEach(wanted::remove);
        return batch;
    }`, t.fill(`
    /** One round; a record that is gone is left out. */
    @Override
    public void run() {
        Instant start = clock.instant();
        int done = 0;
        for (long id : take()) {
            try {
                cache.get(id);
                done++;
            } catch (NoSuchElementException e) {
                LOG.fine(() -> "$label " + id + " is gone");
            }
        }
        LOG.log(Level.INFO, "looked at {0} $table since {1}", new Object[] {done, start});
    }`, e), moment)
}

// export writes an entity's records to a file.
func (t *service) export(e grow.Entity) string {
	cells := each(e.Fields, ", ", func(_ int, f grow.Field) string {
		get := camel(e.Name) + "." + camel(f.Name) + "()"
		switch f.Kind {
		case grow.Text, grow.Email, grow.State:
			return "cell(" + get + ")"
		case grow.Tags:
			return `cell(String.join(" ", ` + get + "))"
		}
		return "String.valueOf(" + get + ")"
	})
	return t.body(t.fill("/** Writes $table to files that spreadsheets read. */\npublic final class $TypeExport", e), `
    private final Path directory;`, []string{t.fill(`
    public $TypeExport(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }`, e)}, t.fill(`
    /** Writes the records in the order given and says where. An older export of that name stays until the new one is whole. */
    public Path write(String name, List<$Type> records) throws IOException {
        Path target = directory.resolve(name + ".csv").normalize();
        if (!target.startsWith(directory)) {
            throw new IOException("not below the directory: " + name);
        }
        Path partial = Files.createTempFile(directory, "$key", ".part");
        try (BufferedWriter out = Files.newBufferedWriter(partial)) {
            out.write("id,owner,$allColumns\n");
            for ($Type $var : records) {
                out.write(line($var));
                out.newLine();
            }
        } catch (IOException e) {
            Files.deleteIfExists(partial);
            throw e;
        }
        Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
        return target;
    }`, e, "$allColumns", columns(e)), t.fill(`
    private static String line($Type $var) {
        return String.join(",", String.valueOf($var.id()), cell($var.owner()), $cells);
    }`, e, "$cells", cells), `
    /** Quotes a text; one that a spreadsheet would run as a formula gets an apostrophe in front. */
    private static String cell(String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        String safe = "=+-@".indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }`)
}
