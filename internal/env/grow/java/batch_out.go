package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

func (b *batch) markup() string {
	return b.body("/** Text as it may stand in a sheet. */\npublic final class Markup", "", []string{`
    private Markup() {
    }`}, b.one(`
    /** Replaces what has a meaning in HTML, in texts and in quoted attributes. */
    public static String escape(String text) {
        return text
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;");
    }`, `
    /** Makes a text harmless in HTML. */
    public static String escape(String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
        return escaped.replace(">", "&gt;");
    }`), `
    /** An amount in cents as people write it. */
    public static String money(long cents) {
        String sign = cents < 0 ? "-" : "";
        return sign + Math.abs(cents / 100) + "." + String.format(Locale.ROOT, "%02d", Math.abs(cents % 100));
    }`, `
    /** The beginning of a sheet. */
    public static String head(String title) {
        return "<!doctype html><html><head><meta charset=\"utf-8\"><title>" + escape(title) + "</title></head><body>\n";
    }`)
}

// rateTable turns foreign amounts into cents.
func (b *batch) rateTable() string {
	return b.body("/** How much a foreign unit is worth, in millionths of a cent. Rates may change while feeds run. */\npublic final class RateTable", `
    private static final long SCALE = 1_000_000L;

    private final Map<String, Long> rates = new ConcurrentHashMap<>();`, nil, `
    /** Sets the rate of a currency. */
    public void set(String currency, long millionths) {
        if (currency == null || currency.length() != 3) {
            throw new IllegalArgumentException("no currency: " + currency);
        }
        rates.put(currency.toUpperCase(Locale.ROOT), Math.max(0, millionths));
    }`, `
    /** A foreign amount in cents, rounded down. Throws NoSuchElementException for a currency without a rate. */
    public long cents(String currency, long amount) {
        Long rate = rates.get(currency);
        if (rate == null) {
            throw new NoSuchElementException("no rate for " + currency);
        }
        return Math.floorDiv(Math.multiplyExact(amount, rate.longValue()), SCALE);
    }`)
}

// feed takes an entity's rows.
func (b *batch) feed(e grow.Entity) string {
	put := func(s string) string { return b.fill(s, e) }
	var more string
	if f, ok := first(e, grow.State); ok {
		more = fill(`
    /** The lines that stand at one $field, in their order. */
    public List<Line> at(String $field) {
        List<Line> chosen = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).$field().equals($field)) {
                chosen.add(lines.get(i));
            }
        }
        return chosen;
    }`, "$field", camel(f.Name))
	}
	params := each(e.Fields, ", ", func(_ int, f grow.Field) string {
		switch f.Kind {
		case grow.Count:
			return "int " + camel(f.Name)
		case grow.Flag:
			return "boolean " + camel(f.Name)
		case grow.State, grow.Email:
			return "String " + camel(f.Name)
		}
		return ""
	})
	args := each(e.Fields, ", ", func(_ int, f grow.Field) string {
		switch f.Kind {
		case grow.Count:
			return fmt.Sprintf("row.count(%q)", f.Name)
		case grow.Flag:
			return fmt.Sprintf("row.yes(%q)", f.Name)
		case grow.State, grow.Email:
			return fmt.Sprintf("row.text(%q)", f.Name)
		}
		return ""
	})
	comma := func(s string) string {
		if s == "" {
			return ""
		}
		return ", " + s
	}
	verb := b.Domain.Verb(b.Rand)
	return b.body(put("/** Takes the rows of $things and adds their amounts up. */\npublic final class $ItemFeed"), fill(put(`
    /** One row that passed. */
    public record Line(int number, String $who, long $amount$params) {
    }

    private final Sums sums;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();`), "$params", comma(params)), []string{put(`
    public $ItemFeed(Sums sums) {
        this.sums = sums;
    }`)}, put(b.one(`
    /** Takes all rows; what is wrong with a row becomes a complaint and the row is left out. */
    public void take(List<Row> rows) {
        for (int i = 0; i < rows.size(); i++) {
            try {
                Line line = parse(rows.get(i));
                sums.add(line.$who(), line.$amount());
                lines.add(line);
            } catch (IllegalArgumentException e) {
                complaints.add(e.getMessage());
            }
        }
    }`, `
    /** Adds up the rows that can be read and keeps a complaint for each other one. */
    public void take(List<Row> rows) {
        for (Row row : rows) {
            try {
                lines.add(parse(row));
            } catch (IllegalArgumentException e) {
                complaints.add(e.getMessage());
                continue;
            }
            Line line = lines.get(lines.size() - 1);
            sums.add(line.$who(), line.$amount());
        }
    }`)), fill(put(`
    private static Line parse(Row row) {
        String $who = row.text("$column");
        if ($who.length() > $long) {
            throw new IllegalArgumentException("line " + row.line() + ": $column is too long");
        }
        return new Line(row.line(), $who, row.cents("$money")$args);
    }`), "$args", comma(args), "$long", b.one("80", "120", "160")), put(`
    /** What one of the $things has cost so far, in cents. */
    public long cost(String $who) {
        return sums.require($who).cents();
    }`), fill(put(`
    /** The average amount under one name, in cents, rounded down. */
    public long mean$Verb(String $who) {
        Sums.Sum sum = sums.require($who);
        return sum.cents() / Math.max(1, sum.rows());
    }`), "$Verb", pascal(verb)), put(`
    /** The line with that number. */
    public Line line(int number) {
        return lines.stream().filter(line -> line.number() == number).findFirst().orElseThrow(() -> new NoSuchElementException("line " + number));
    }`), put(`
    public List<Line> lines() {
        return List.copyOf(lines);
    }`), `
    /** What was wrong, in the order of the rows. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }`, more)
}

func (b *batch) feedTest(e grow.Entity) string {
	cells := each(e.Fields, ", ", func(_ int, f grow.Field) string {
		switch f.Kind {
		case grow.State, grow.Email:
			return fmt.Sprintf("%q, %q", f.Name, "new")
		}
		return ""
	})
	if cells != "" {
		cells = ", " + cells
	}
	put := func(s string) string { return b.fill(s, e, "$cells", cells) }
	return b.body(put("class $ItemFeedTest"), put(`
    private final Sums sums = new Sums();
    private final $ItemFeed feed = new $ItemFeed(sums);`), nil, put(`
    @Test
    void addsUpGoodRows() {
        feed.take(List.of(new Row(2, Map.of("$column", "ada", "$money", "2.50"$cells))));
        assertEquals(250, feed.cost("ada"));
    }`), put(`
    @Test
    void complainsAboutBadRows() {
        feed.take(List.of(new Row(2, Map.of("$column", "ada", "$money", "much"$cells))));
        assertEquals(1, feed.complaints().size());
    }`))
}

// sheet prints an entity's sums.
func (b *batch) sheet(e grow.Entity) string {
	put := func(s string) string { return b.fill(s, e) }
	return b.body(put("/** The sheet of $things that is printed for approval. */\npublic final class $ItemSheet"), put(`
    private final Sums sums;`), []string{put(`
    public $ItemSheet(Sums sums) {
        this.sums = sums;
    }`)}, put(b.one(`
    /** The sheet with one line for each name. */
    public String print(String title) {
        StringBuilder page = new StringBuilder(Markup.head(title));
        page.append("<h1>").append(Markup.escape(title)).append("</h1>\n<table>\n");
        for (String name : sums.names()) {
            page.append("<tr><td>").append(Markup.escape(name)).append("</td>");
            page.append("<td>").append(Markup.money(sums.require(name).cents())).append("</td></tr>\n");
        }
        return page.append("</table></body></html>\n").toString();
    }`, `
    /** All sums as an HTML list under a title. */
    public String print(String title) {
        StringBuilder page = new StringBuilder(Markup.head(title));
        List<String> names = sums.names();
        page.append("<ul title=\"").append(Markup.escape(title)).append("\">\n");
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            page.append("<li>" + Markup.escape(name) + ": ");
            page.append(Markup.money(sums.require(name).cents())).append("</li>\n");
        }
        return page.append("</ul></body></html>\n").toString();
    }`)), put(`
    /** Writes the sheet to a file; an older one stays until the new one is whole. */
    public void write(Path file, String title) throws IOException {
        Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), "$file", ".html");
        try {
            Files.writeString(fresh, print(title));
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            Files.deleteIfExists(fresh);
            throw e;
        }
    }`), b.maybe(60, put(`
    /** The names whose sum is above a floor in cents. */
    public List<String> above(long floor) {
        List<String> chosen = new ArrayList<>();
        for (String name : sums.names()) {
            if (sums.require(name).cents() > floor) {
                chosen.add(name);
            }
        }
        return chosen;
    }`)))
}

// loader writes an entity's lines into the database.
func (b *batch) loader(e grow.Entity) string {
	put := func(s string) string { return b.fill(s, e) }
	return b.body(put("/** Writes lines of $things into the table $table. */\npublic final class $ItemLoader"), put(`
    private final DataSource database;`), []string{put(`
    public $ItemLoader(DataSource database) {
        this.database = database;
    }`)}, put(`
    /** Writes all lines, or none of them. */
    public void load(String run, List<$ItemFeed.Line> lines) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO $table (run, $column, $money) VALUES (?, ?, ?)")) {
                for ($ItemFeed.Line line : lines) {
                    insert.setString(1, run);
                    insert.setString(2, line.$who());
                    insert.setLong(3, line.$amount());
                    insert.addBatch();
                }
                insert.executeBatch();
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }`), put(b.one(`
    /** What was loaded under a name in one run, in cents. */
    public long loaded(String run, String $who) throws SQLException {
        String sql = "SELECT SUM($money) FROM $table WHERE run = ? AND $column = ?";
        try (Connection connection = database.getConnection(); PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, run);
            query.setString(2, $who);
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }
    }`, `
    /** The names that one run loaded, in alphabetical order. */
    public List<String> names(String run) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = database.getConnection();
             PreparedStatement query = connection.prepareStatement("SELECT DISTINCT $column FROM $table WHERE run = ? ORDER BY $column")) {
            query.setString(1, run);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    names.add(result.getString(1));
                }
            }
        }
        return names;
    }`)), put(`
    /** Takes a run back. Throws IllegalStateException when the database refuses. */
    public int undo(String run) {
        try (Connection connection = database.getConnection();
             PreparedStatement delete = connection.prepareStatement("DELETE FROM $table WHERE run = ?")) {
            delete.setString(1, run);
            return delete.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot undo " + run, e);
        }
    }`))
}

// checks compares an entity's lines with what is expected.
func (b *batch) checks(e grow.Entity) string {
	var tests strings.Builder
	for _, f := range e.Fields {
		switch f.Kind {
		case grow.Count:
			fmt.Fprintf(&tests, "\n            if (line.%s() > MOST) {\n                problems.add(line.number() + \": too many %s\");\n            }", camel(f.Name), words(f.Name))
		case grow.State:
			fmt.Fprintf(&tests, "\n            if (!%s.contains(line.%s())) {\n                problems.add(line.number() + \": unknown %s\");\n            }", "KNOWN", camel(f.Name), words(f.Name))
		case grow.Email:
			fmt.Fprintf(&tests, "\n            if (line.%s().indexOf('@') < 1) {\n                problems.add(line.number() + \": no address\");\n            }", camel(f.Name))
		}
	}
	known := ""
	if f, ok := first(e, grow.State); ok {
		known = "\n    private static final Set<String> KNOWN = Set.of(" + quoted(f.Words) + ");"
	}
	put := func(s string) string {
		return b.fill(s, e, "$tests", tests.String(), "$known", known, "$most", b.one("500", "1_000", "9_999"), "$cap", b.one("1_000_000L", "5_000_000L", "25_000_000L"))
	}
	return b.body(put("/** What lines of $things must keep to. */\npublic final class $ItemChecks"), put(`
    private static final int MOST = $most;
    private static final long CAP_CENTS = $cap;$known

    private final Set<String> seen = new HashSet<>();`), nil, put(`
    /** What is wrong with some lines, each problem with the number of its line. */
    public List<String> problems(List<$ItemFeed.Line> lines) {
        List<String> problems = new ArrayList<>();
        if (lines.size() > MOST) {
            problems.add("more lines than " + MOST);
        }
        for ($ItemFeed.Line line : lines) {
            if (line.$amount() > CAP_CENTS) {
                problems.add(line.number() + ": above the cap");
            }$tests
        }
        return problems;
    }`), put(`
    /** What a line of a feed says, for people. */
    public static String explain($ItemFeed feed, int number) {
        return feed.line(number).$who() + " on line " + number;
    }`), put(`
    /** Whether a line is the first one under its name in this run. */
    public boolean fresh($ItemFeed.Line line) {
        String key = line.$who();
        key = key.toLowerCase(Locale.ROOT);
        return seen.add(key);
    }`), put(`
    /** Two lines stand for the same thing when name and amount agree. */
    public static boolean same($ItemFeed.Line a, $ItemFeed.Line b) {
        return a.$who().equals(b.$who()) && a.$amount() == b.$amount();
    }`))
}
