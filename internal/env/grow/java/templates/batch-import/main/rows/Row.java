/** One row of a delivered file: the line it stood on, and its cells by column. */
public final class Row {
    private final int line;
    private final Map<String, String> cells;

    public Row(int line, Map<String, String> cells) {
        this.line = line;
        this.cells = Map.copyOf(cells);
    }

    //: .shuffled

    public int line() {
        return line;
    }

    //: if call .coin
    /** A cell that must not be empty. Throws IllegalArgumentException, naming the line, when it is. */
    public String text(String column) {
        String value = cells.get(column);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("line " + line + ": no " + column);
        }
        return value.strip();
    }

    //: else
    /** The text of a cell, which must be there: IllegalArgumentException with the line otherwise. */
    public String text(String column) {
        String value = cells.get(column);
        if (value == null || value.strip().isEmpty()) {
            throw new IllegalArgumentException("line " + line + " has nothing for " + column);
        }
        value = value.strip();
        return value;
    }

    //: end

    /** An amount such as 12.50 in cents. */
    public long cents(String column) {
        try {
            return new BigDecimal(text(column)).movePointRight(2).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("line " + line + ": " + column + " is no amount", e);
        }
    }

    /** A count that is never negative; an empty cell counts as 0. */
    public int count(String column) {
        String value = cells.get(column);
        if (value == null || value.isBlank()) {
            return 0;
        }
        try {
            return Math.max(0, Integer.parseInt(value.strip()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("line " + line + ": " + column + " is no count", e);
        }
    }

    /** Whether a cell says yes. */
    public boolean yes(String column) {
        String value = cells.getOrDefault(column, "no");
        return value.equals("yes") || value.equals("true");
    }
}
