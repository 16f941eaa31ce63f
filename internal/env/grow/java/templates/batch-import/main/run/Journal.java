/** What the runs did, a line each, kept for the auditors: lines are added, never changed. */
public final class Journal {
    private final Path file;
    private int written;

    public Journal(Path file) {
        this.file = file;
    }

    //: .shuffled

    /** Adds a line with the moment in front. */
    public synchronized void add(Instant moment, String text) throws IOException {
        String line = moment + " " + text.replace('\n', ' ').replace('\r', ' ') + System.lineSeparator();
        Files.writeString(file, line, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        written++;
    }

    /** How many lines this run added. */
    public synchronized int written() {
        return written;
    }

    /** The lines that hold a word, no more than limit of them. */
    public List<String> search(String word, int limit) throws IOException {
        if (word == null || word.isEmpty()) {
            return List.of();
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(word)).limit(Math.min(limit, 1_000)).toList();
        }
    }
}
