package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// growBatch writes a batch: sources of rows, feeds that check them and add them up, and what is written at the end.
func growBatch(s grow.Spec) map[string]string {
	p := newProject(s, "org.greyfield", 6)
	b := &batch{project: p, chief: camel(s.Domain.Actor(s.Rand))}
	first := p.entities[0]
	p.plain("README.md", b.readme)
	p.plain("pom.xml", b.pom)
	p.class("rows", "Row", b.row)
	p.class("rows", "CsvSource", b.csvSource)
	p.class("run", "Sums", b.sums)
	b.plan(first, "feed")
	p.test("rows", "CsvSourceTest", b.csvSourceTest)
	p.class("out", "Markup", b.markup)
	b.plan(first, "sheet")
	p.class("run", "Leases", b.leases)
	p.class("run", "Stage", b.stage)
	p.class("run", "Clerks", b.clerks)
	p.class("run", "Approvals", b.approvals)
	p.class("rows", "XmlSource", b.xmlSource)
	p.test("run", "SumsTest", b.sumsTest)
	p.class("run", "Folder", b.folder)
	p.class("run", "Journal", b.journal)
	b.plan(first, "loader", "checks", "feed test")
	p.class("rows", "Seal", b.seal)
	p.class("run", "Options", b.options)
	p.class("out", "RateTable", b.rateTable)
	for _, e := range p.entities[1:] {
		b.plan(e, "feed", "sheet", "loader", "checks", "feed test", "diff")
	}
	return p.texts()
}

// batch is the template of batches.
type batch struct {
	*project
	chief string
}

func (b *batch) plan(e grow.Entity, kinds ...string) {
	name := pascal(e.Name)
	for _, kind := range kinds {
		switch kind {
		case "feed":
			b.class("feeds", name+"Feed", func() string { return b.feed(e) })
		case "sheet":
			b.class("out", name+"Sheet", func() string { return b.sheet(e) })
		case "loader":
			b.class("db", name+"Loader", func() string { return b.loader(e) })
		case "checks":
			b.class("feeds", name+"Checks", func() string { return b.checks(e) })
		case "diff":
			b.class("feeds", name+"Diff", func() string { return b.diff(e) })
		case "feed test":
			b.test("feeds", name+"FeedTest", func() string { return b.feedTest(e) })
		}
	}
}

func (b *batch) fill(text string, e grow.Entity, pairs ...string) string {
	f, _ := first(e, grow.Text)
	amount, column := "", ""
	if m, ok := first(e, grow.Cents); ok {
		amount, column = camel(m.Name), m.Name
	} else {
		amount, column = "amountCents", "amount_cents"
	}
	return fill(text, append([]string{"$Item", pascal(e.Name), "$item", camel(e.Name), "$things", words(plural(e.Name)), "$table", plural(e.Name), "$file", kebab(plural(e.Name)),
		"$who", camel(f.Name), "$column", f.Name, "$amount", amount, "$money", column}, pairs...)...)
}

func (b *batch) readme() string {
	return fill(`# $name

Reads what the $domain delivers every night, as CSV or XML, checks each row, adds the amounts up and writes a sheet
for the $chief to approve.

1. put the files into the inbox folder
2. run the stages: read, check, load, print
3. the $chief approves the sums; nothing is booked before

Rows that fail a check are reported with their line and left out.
`, "$name", b.Name, "$domain", words(b.Domain.Name), "$chief", strings.ToLower(words(b.chief)))
}

func (b *batch) pom() string {
	return fill(`<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>org.greyfield</groupId>
  <artifactId>$name</artifactId>
  <version>2.$minor-SNAPSHOT</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.10.1</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
`, "$name", kebab(b.Name), "$minor", fmt.Sprint(b.Rand.IntN(40)))
}

// row is one row of a file.
func (b *batch) row() string {
	return b.body("/** One row of a delivered file: the line it stood on, and its cells by column. */\npublic final class Row", `
    private final int line;
    private final Map<String, String> cells;`, []string{`
    public Row(int line, Map<String, String> cells) {
        this.line = line;
        this.cells = Map.copyOf(cells);
    }`}, `
    public int line() {
        return line;
    }`, b.one(`
    /** A cell that must not be empty. Throws IllegalArgumentException, naming the line, when it is. */
    public String text(String column) {
        String value = cells.get(column);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("line " + line + ": no " + column);
        }
        return value.strip();
    }`, `
    /** The text of a cell, which must be there: IllegalArgumentException with the line otherwise. */
    public String text(String column) {
        String value = cells.get(column);
        if (value == null || value.strip().isEmpty()) {
            throw new IllegalArgumentException("line " + line + " has nothing for " + column);
        }
        value = value.strip();
        return value;
    }`), `
    /** An amount such as 12.50 in cents. */
    public long cents(String column) {
        try {
            return new BigDecimal(text(column)).movePointRight(2).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("line " + line + ": " + column + " is no amount", e);
        }
    }`, `
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
    }`, `
    /** Whether a cell says yes. */
    public boolean yes(String column) {
        String value = cells.getOrDefault(column, "no");
        return value.equals("yes") || value.equals("true");
    }`)
}

// csvSource reads rows from a file.
func (b *batch) csvSource() string {
	return b.body("/** Reads rows from a file with semicolons between the cells and the columns' names on the first line. */\npublic final class CsvSource", `
    private static final int MAX_ROWS = `+b.one("100_000", "250_000", "1_000_000")+`;

    private final Path file;`, []string{`
    public CsvSource(Path file) {
        this.file = file;
    }`}, b.one(`
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
    }`, `
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
    }`), `
    private static Row row(int number, String[] columns, String[] cells) {
        if (cells.length > columns.length) {
            throw new IllegalArgumentException("line " + number + " has too many cells");
        }
        Map<String, String> byColumn = new HashMap<>();
        for (int i = 0; i < cells.length; i++) {
            byColumn.put(columns[i], cells[i]);
        }
        return new Row(number, byColumn);
    }`, `
    private static String[] cells(String line) {
        if (line == null || line.isBlank()) {
            throw new IllegalArgumentException("no columns");
        }
        String[] cells = line.split(";", -1);
        for (int i = 0; i < cells.length; i++) {
            cells[i] = cells[i].strip();
        }
        return cells;
    }`, `
    /** A short text that changes when the file does, for skipping what was read before. */
    public String fingerprint() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("no digest", e);
        }
    }`)
}

func (b *batch) csvSourceTest() string {
	return b.body("class CsvSourceTest", "    @TempDir\n    Path folder;", nil, `
    @Test
    void readsCellsByColumn() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "name;price\nada;1.50\n");
        Row row = new CsvSource(file).read().get(0);
        assertEquals("ada", row.text("name"));
        assertEquals(150, row.cents("price"));
    }`, `
    @Test
    void refusesTooManyCells() throws IOException {
        Path file = Files.writeString(folder.resolve("b.csv"), "name\nada;1\n");
        assertThrows(IllegalArgumentException.class, () -> new CsvSource(file).read());
    }`)
}

// sums adds amounts up.
func (b *batch) sums() string {
	return b.body("/** Amounts in cents, added up by name. Several feeds may add at once. */\npublic final class Sums", `
    /** One sum with the number of amounts in it. */
    public record Sum(String name, long cents, int rows) {
        Sum plus(long more) {
            return new Sum(name, Math.addExact(cents, more), rows + 1);
        }
    }

    private final Map<String, Sum> sums = new TreeMap<>();
    private int rows;`, nil, `
    /** Adds an amount. Throws ArithmeticException when the sum no longer fits. */
    public synchronized void add(String name, long cents) {
        Sum old = sums.getOrDefault(name, new Sum(name, 0, 0));
        sums.put(name, old.plus(cents));
        rows++;
    }`, b.one(`
    /** The sum of a name. */
    public synchronized Sum require(String name) {
        Sum sum = sums.get(name);
        if (sum == null) {
            throw new NoSuchElementException("no sum for " + name);
        }
        return sum;
    }`, `
    /** The sum of a name that somebody added to. */
    public synchronized Sum require(String name) {
        return Optional.ofNullable(sums.get(name)).orElseThrow(() -> new NoSuchElementException(name));
    }`), `
    /** The names in alphabetical order. */
    public synchronized List<String> names() {
        return List.copyOf(sums.keySet());
    }`, `
    /** How many amounts were added. */
    public synchronized int rows() {
        return rows;
    }`, `
    /** Everything together, in cents. */
    public synchronized long total() {
        long total = 0;
        for (Sum sum : sums.values()) {
            total = Math.addExact(total, sum.cents());
        }
        return total;
    }`)
}

func (b *batch) sumsTest() string {
	return b.body("class SumsTest", "    private final Sums sums = new Sums();", nil, `
    @Test
    void addsUpByName() {
        sums.add("a", 150);
        sums.add("a", 50);
        assertEquals(200, sums.require("a").cents());
        assertEquals(2, sums.require("a").rows());
    }`, `
    @Test
    void unknownNamesAreRefused() {
        assertThrows(NoSuchElementException.class, () -> sums.require("b"));
    }`, `
    @Test
    void totalsAreExact() {
        sums.add("a", Long.MAX_VALUE);
        assertThrows(ArithmeticException.class, () -> sums.add("a", 1));
    }`)
}
