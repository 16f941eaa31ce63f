/** What is set from outside. */
public final class Settings {
    private static final int DEFAULT_CACHE_SECONDS = 300;

    private final Map<String, String> variables;

    public Settings(Map<String, String> variables) {
        this.variables = Map.copyOf(variables);
    }

    /** The settings of this process. */
    public static Settings ofProcess() {
        return new Settings(System.getenv());
    }

    //: .shuffled

    /** The directory of all files. */
    public Path dataDir() {
        return Path.of(variables.getOrDefault("DATA_DIR", "data"));
    }

    /** The key that tokens are signed with. There is no default: IllegalStateException without one. */
    public byte[] tokenKey() {
        String key = variables.get("TOKEN_KEY");
        if (key == null || key.isBlank()) {
            throw new IllegalStateException("TOKEN_KEY is not set");
        }
        return key.getBytes(StandardCharsets.UTF_8);
    }

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
    }

    /** The largest page that may be asked for, between 10 and 500. */
    public int pageSize() {
        int wanted = Integer.parseInt(variables.getOrDefault("PAGE_SIZE", "100"));
        return Math.min(Math.max(wanted, 10), 500);
    }
}
