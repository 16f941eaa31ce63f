/** The settings of a run, from a file of properties. */
public final class Options {
    private final Properties properties = new Properties();

    public Options(Path file) throws IOException {
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        }
    }

    //: .shuffled

    /** The key that files are sealed with; IllegalStateException when none is set. */
    public byte[] sealKey() {
        String key = properties.getProperty("seal.secret");
        if (key == null || key.isBlank()) {
            throw new IllegalStateException("seal.secret is not set");
        }
        return HexFormat.of().parseHex(key);
    }

    /** How many files are worked on at once, between 1 and 16. */
    public int workers() {
        int wanted = Integer.parseInt(properties.getProperty("workers", "4"));
        return Math.min(Math.max(wanted, 1), 16);
    }

    /** How long a run may keep a file to itself. */
    public Duration hold() {
        return Duration.ofMinutes(Math.max(1, Long.parseLong(properties.getProperty("hold.minutes", "10"))));
    }
}
