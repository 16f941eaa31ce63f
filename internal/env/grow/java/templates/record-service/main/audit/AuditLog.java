/** Notes who did what, one line each, in a file that only grows. */
public final class AuditLog {
    private final Path file;
    private final Clock clock;
    private long lines;

    public AuditLog(Path file, Clock clock) {
        this.file = file;
        this.clock = clock;
    }

    //: .shuffled

    //: if call .coin
    /** Adds a line. Throws UncheckedIOException when it cannot be written: what is not noted must not be done. */
    public synchronized void note(String user, String action, String subject) {
        String line = clock.instant() + "\t" + clean(user) + "\t" + clean(action) + "\t" + clean(subject) + "\n";
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
        lines++;
    }

    //: else
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
    }

    //: end

    /** How many lines were written since the start. */
    public synchronized long lines() {
        return lines;
    }

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
    }

    private static String clean(String text) {
        if (text == null || text.isEmpty()) {
            return "-";
        }
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }
}
