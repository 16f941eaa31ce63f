/** Reads rows from a file with semicolons between the cells and the columns' names on the first line. */
public final class CsvSource {
    //: call .choose "rows" "100_000" "250_000" "1_000_000"
    private static final int MAX_ROWS = _rows_;

    private final Path file;

    public CsvSource(Path file) {
        this.file = file;
    }

    //: .shuffled

    //: if call .coin
    /** All rows. Throws UncheckedIOException when the file cannot be read, IllegalArgumentException when a line is no row. */
    public List<Row> read() {
        List<Row> rows = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(file)) {
            String[] columns = cells(in.readLine());
            int number = 1;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                if (!line.isBlank()) {
                    rows.add(row(number, columns, cells(line)));
                }
                if (rows.size() > MAX_ROWS) {
                    throw new IllegalArgumentException("more than " + MAX_ROWS + " rows");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        return rows;
    }

    //: else
    /** The rows of the file, MAX_ROWS at most. UncheckedIOException when it cannot be read. */
    public List<Row> read() {
        try (Stream<String> lines = Files.lines(file)) {
            List<String> all = lines.limit(MAX_ROWS + 1L).toList();
            if (all.isEmpty()) {
                throw new IllegalArgumentException("an empty file: " + file);
            }
            String[] columns = cells(all.get(0));
            List<Row> rows = new ArrayList<>();
            for (int i = 1; i < all.size(); i++) {
                if (!all.get(i).isBlank()) {
                    rows.add(row(i + 1, columns, cells(all.get(i))));
                }
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException("file " + file, e);
        }
    }

    //: end

    private static Row row(int number, String[] columns, String[] cells) {
        if (cells.length > columns.length) {
            throw new IllegalArgumentException("line " + number + " has too many cells");
        }
        Map<String, String> byColumn = new HashMap<>();
        for (int i = 0; i < cells.length; i++) {
            byColumn.put(columns[i], cells[i]);
        }
        return new Row(number, byColumn);
    }

    private static String[] cells(String line) {
        if (line == null || line.isBlank()) {
            throw new IllegalArgumentException("no columns");
        }
        String[] cells = line.split(";", -1);
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].strip();
        }
        return cells;
    }

    /** A short text that changes when the file does, for skipping what was read before. */
    public String fingerprint() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no digest", e);
        }
    }
}
