package java

import "strings"

// access says who may do what.
func (t *service) access() string {
	return t.body("/** Who may do what. Safe for use by many threads. */\npublic final class Access", fill(`
    public static final String ROLE = "$role";

    private final Map<String, Set<String>> roles = new ConcurrentHashMap<>();
    private final Set<String> suspended = ConcurrentHashMap.newKeySet();`, "$role", strings.ToLower(words(t.role))), nil, `
    /** Gives a user a role. */
    public void grant(String user, String role) {
        roles.computeIfAbsent(user, u -> ConcurrentHashMap.newKeySet()).add(role);
    }`, `
    /** Takes all rights from a user until restore is called. */
    public void suspend(String user) {
        suspended.add(user);
    }

    public void restore(String user) {
        suspended.remove(user);
    }`, `
    /** Whether a user has a role. */
    public boolean hasRole(String user, String role) {
        if (user == null || user.isEmpty()) {
            return false;
        }
        Set<String> given = roles.get(user);
        return given != null && given.contains(role);
    }`, t.one(`
    /** Whether a user may change what belongs to the owner. */
    public boolean canEdit(String user, String owner) {
        return !suspended.contains(user) && (owner.equals(user) || hasRole(user, ROLE));
    }`, `
    /** Whether a user may change the owner's records. */
    public boolean canEdit(String user, String owner) {
        boolean entitled = owner.equals(user) || hasRole(user, ROLE);
        return entitled && !suspended.contains(user);
    }`), `
    /** Whether a user may see everybody's records. */
    public boolean canReadAll(String user) {
        return hasRole(user, ROLE) && !suspended.contains(user);
    }`)
}

// html escapes text for pages.
func (t *service) html() string {
	escape := t.one(`
    /** Text that is safe between tags and in quoted attributes. */
    public static String escape(String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        return text.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;")
            .replace("'", "&#39;");
    }`, `
    /** Makes text safe for pages, quoted attributes included; null becomes empty. */
    public static String escape(String text) {
        if (text == null) {
            return "";
        }
        String safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return safe.replace("\"", "&quot;").replace("'", "&#39;");
    }`)
	return t.body("/** Builds small pieces of pages. */\npublic final class Html", "", []string{`
    private Html() {
    }`}, escape, `
    /** A whole page. The body is markup already, the title is not. */
    public static String page(String title, String body) {
        return "<!doctype html>\n<html><head><title>" + escape(title) + "</title></head>\n<body>\n" + body + "</body></html>\n";
    }`, `
    /** A list item with a text. */
    public static String item(String text) {
        return "<li>" + escape(text) + "</li>\n";
    }`)
}

func (t *service) htmlTest() string {
	return t.body("class HtmlTest", "", nil, `
    @Test
    void escapesMarkup() {
        assertEquals("&lt;b&gt; &amp; &quot;q&quot;", Html.escape("<b> & \"q\""));
    }`, `
    @Test
    void nullIsEmpty() {
        assertEquals("", Html.escape(null));
    }`, `
    @Test
    void itemsAreEscaped() {
        assertTrue(Html.item("<i>").contains("&lt;i&gt;"));
    }`)
}

// ttlCache keeps values for a while.
func (t *service) ttlCache() string {
	size := t.one("500", "1_000", "2_000")
	return t.body("/** Keeps values for a while. Safe for use by many threads; never holds more than MAX_ENTRIES. */\npublic final class TtlCache<V>", fill(`
    private static final int MAX_ENTRIES = $size;

    private record Entry<V>(V value, long expiresAt) {
    }

    private final Map<String, Entry<V>> entries = new LinkedHashMap<>();
    private final Clock clock;`, "$size", size), []string{`
    public TtlCache(Clock clock) {
        this.clock = clock;
    }`}, `
    /** Keeps a value for so many milliseconds. */
    public synchronized void put(String key, V value, long ttlMillis) {
        if (entries.size() >= MAX_ENTRIES && !entries.containsKey(key)) {
            Iterator<String> oldest = entries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        entries.put(key, new Entry<>(value, clock.millis() + ttlMillis));
    }`, `
    /** The value, unless it is unknown or too old. */
    public synchronized Optional<V> get(String key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (entry.expiresAt() <= clock.millis()) {
            entries.remove(key);
            return Optional.empty();
        }
        return Optional.of(entry.value());
    }`, `
    /** Forgets one value. */
    public synchronized void remove(String key) {
        entries.remove(key);
    }`, `
    /** How many values are held, old ones included. */
    public synchronized int size() {
        return entries.size();
    }`, `
    /** Forgets all values that are too old by now. */
    public synchronized void sweep() {
        long now = clock.millis();
        entries.values().removeIf(entry -> entry.expiresAt() <= now);
    }`)
}

func (t *service) ttlCacheTest() string {
	return t.body("class TtlCacheTest", "    private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);", nil, `
    @Test
    void keepsFreshValues() {
        TtlCache<String> cache = new TtlCache<>(clock);
        cache.put("a", "one", 1_000);
        assertEquals(Optional.of("one"), cache.get("a"));
    }`, `
    @Test
    void dropsOldValues() {
        TtlCache<String> cache = new TtlCache<>(clock);
        cache.put("a", "one", 0);
        assertEquals(Optional.empty(), cache.get("a"));
    }`)
}

// tokens signs and checks tokens.
func (t *service) tokens() string {
	return t.body("/** Signs what a user may carry around, and checks it when it comes back. */\npublic final class Tokens", fill(`
    private static final String ALGORITHM = "HmacSHA256";
    private static final int NONCE_BYTES = $bytes;

    private final byte[] key;
    private final SecureRandom random = new SecureRandom();
    private final Clock clock;`, "$bytes", t.one("16", "18", "24")), []string{`
    public Tokens(byte[] key, Clock clock) {
        if (key.length < 32) {
            throw new IllegalArgumentException("the key needs 32 bytes");
        }
        this.key = key.clone();
        this.clock = clock;
    }`}, `
    /** A token that is good for a user until the given second. User names hold no dots. */
    public String issue(String user, long expiresAtSeconds) {
        String payload = user + "." + expiresAtSeconds + "." + nonce();
        return payload + "." + sign(payload);
    }`, `
    /** The user that a token stands for; empty when it was tampered with or is too old. */
    public Optional<String> verify(String token) {
        if (token == null || token.isBlank()) {
            return Optional.empty();
        }
        int end = token.lastIndexOf('.');
        if (end < 0) {
            return Optional.empty();
        }
        String payload = token.substring(0, end);
        byte[] given = token.substring(end + 1).getBytes(StandardCharsets.UTF_8);
        byte[] expected = sign(payload).getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(given, expected)) {
            return Optional.empty();
        }
        String[] parts = payload.split("\\.");
        if (parts.length != 3 || Long.parseLong(parts[1]) <= clock.instant().getEpochSecond()) {
            return Optional.empty();
        }
        return Optional.of(parts[0]);
    }`, `
    /** A code for an invitation, which nobody may guess. */
    public String invitation() {
        return nonce();
    }`, `
    private String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }`, `
    private String sign(String payload) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot sign", e);
        }
    }`)
}

// passwords keeps passwords as slow hashes.
func (t *service) passwords() string {
	return t.body("/** Turns passwords into slow, salted hashes: salt and hash in hexadecimal, a colon between them. */\npublic final class Passwords", `
    private static final int ITERATIONS = 210_000;
    private static final int KEY_BITS = 256;
    private static final int MIN_LENGTH = 12;

    private final SecureRandom random = new SecureRandom();`, nil, `
    /** What is kept of a new password. */
    public String hash(char[] password) {
        if (password.length < MIN_LENGTH) {
            throw new IllegalArgumentException("the password is too short");
        }
        byte[] salt = new byte[16];
        random.nextBytes(salt);
        HexFormat hex = HexFormat.of();
        return hex.formatHex(salt) + ":" + hex.formatHex(derive(password, salt));
    }`, `
    /** Whether a password is the one that was kept. */
    public boolean matches(char[] password, String kept) {
        int colon = kept.indexOf(':');
        if (colon < 0) {
            return false;
        }
        HexFormat hex = HexFormat.of();
        byte[] salt = hex.parseHex(kept.substring(0, colon));
        byte[] expected = hex.parseHex(kept.substring(colon + 1));
        return MessageDigest.isEqual(expected, derive(password, salt));
    }`, `
    private static byte[] derive(char[] password, byte[] salt) {
        PBEKeySpec spec = new PBEKeySpec(password, salt, ITERATIONS, KEY_BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot derive a key", e);
        } finally {
            spec.clearPassword();
        }
    }`)
}

// attachments keeps files below one directory.
func (t *service) attachments() string {
	return t.body("/** Files that belong to records, all below one directory. */\npublic final class Attachments", `
    private static final long MAX_BYTES = 10L << 20;

    private final Path root;`, []string{`
    public Attachments(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }`}, t.one(`
    /** Opens an attachment for reading; the caller closes it. */
    public InputStream open(String name) throws IOException {
        return Files.newInputStream(locate(name));
    }`, `
    /** All of an attachment. Refuses what is larger than MAX_BYTES. */
    public byte[] load(String name) throws IOException {
        Path file = locate(name);
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("attachment too large: " + name);
        }
        return Files.readAllBytes(file);
    }`), `
    /** Keeps an attachment, in place of an older one of that name. */
    public void save(String name, InputStream in) throws IOException {
        Path file = locate(name);
        Files.createDirectories(file.getParent());
        byte[] content = in.readNBytes((int) MAX_BYTES + 1);
        if (content.length > MAX_BYTES) {
            throw new IOException("attachment too large: " + name);
        }
        Files.write(file, content);
    }`, `
    private Path locate(String name) throws IOException {
        Path file = root.resolve(name).normalize();
        if (!file.startsWith(root) || file.equals(root)) {
            throw new IOException("no such attachment: " + name);
        }
        return file;
    }`, `
    /** A name for caches that changes when the content does. */
    public String etag(String name) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] sum = digest.digest(Files.readAllBytes(locate(name)));
            return HexFormat.of().formatHex(sum, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no digest", e);
        }
    }`)
}

// auditLog notes who did what.
func (t *service) auditLog() string {
	return t.body("/** Notes who did what, one line each, in a file that only grows. */\npublic final class AuditLog", `
    private final Path file;
    private final Clock clock;
    private long lines;`, []string{`
    public AuditLog(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }`}, t.one(`
    /** Adds a line. Throws UncheckedIOException when it cannot be written: what is not noted must not be done. */
    public synchronized void note(String user, String action, String subject) {
        String line = clock.instant() + "\t" + clean(user) + "\t" + clean(action) + "\t" + clean(subject) + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        lines++;
    }`, `
    /** Adds a line, or throws UncheckedIOException: nothing may be done that was not noted first. */
    public synchronized void note(String user, String action, String subject) {
        String line = String.join("\t", clock.instant().toString(), clean(user), clean(action), clean(subject));
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            out.write(line);
            out.newLine();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        lines++;
    }`), `
    /** How many lines were written since the start. */
    public synchronized long lines() {
        return lines;
    }`, `
    /** The last lines of the file, the oldest first. */
    public List<String> tail(int count) {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (Stream<String> all = Files.lines(file)) {
            List<String> read = all.toList();
            return read.subList(Math.max(0, read.size() - count), read.size());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }`, `
    private static String clean(String text) {
        if (text == null || text.isEmpty()) {
            return "-";
        }
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }`)
}

// settings reads the environment.
func (t *service) settings() string {
	return t.body("/** What is set from outside. */\npublic final class Settings", `
    private static final int DEFAULT_CACHE_SECONDS = 300;

    private final Map<String, String> variables;`, []string{`
    public Settings(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** The settings of this process. */
    public static Settings ofProcess() {
        return new Settings(System.getenv());
    }`}, `
    /** The directory of all files. */
    public Path dataDir() {
        return Path.of(variables.getOrDefault("DATA_DIR", "data"));
    }`, `
    /** The key that tokens are signed with. There is no default: IllegalStateException without one. */
    public byte[] tokenKey() {
        String key = variables.get("TOKEN_KEY");
        if (key == null || key.isBlank()) {
            throw new IllegalStateException("TOKEN_KEY is not set");
        }
        return key.getBytes(StandardCharsets.UTF_8);
    }`, `
    /** How long records stay cached. */
    public Duration cacheTime() {
        String value = variables.get("CACHE_SECONDS");
        if (value == null || value.isBlank()) {
            return Duration.ofSeconds(DEFAULT_CACHE_SECONDS);
        }
        try {
            return Duration.ofSeconds(Integer.parseInt(value.strip()));
        } catch (NumberFormatException e) {
            throw new IllegalStateException("CACHE_SECONDS is no number: " + value, e);
        }
    }`, `
    /** The largest page that may be asked for, between 10 and 500. */
    public int pageSize() {
        int wanted = Integer.parseInt(variables.getOrDefault("PAGE_SIZE", "100"));
        return Math.min(Math.max(wanted, 10), 500);
    }`)
}
