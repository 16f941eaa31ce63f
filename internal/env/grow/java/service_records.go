package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// model is the record of an entity.
func (t *service) model(e grow.Entity) string {
	params := each(e.Fields, ", ", func(_ int, f grow.Field) string { return t.javaType(f) + " " + camel(f.Name) })
	fields, copies := "", ""
	if f, ok := first(e, grow.State); ok {
		fields = fill(`
    /** The words that $field may be. */
    public static final Set<String> $SET = Set.of($words);`, "$field", camel(f.Name), "$SET", strings.ToUpper(plural(f.Name)), "$words", quoted(f.Words))
	}
	if f, ok := first(e, grow.Tags); ok {
		copies = fill("\n        $f = List.copyOf($f);", "$f", camel(f.Name))
	}
	for _, f := range e.Fields {
		if f.Kind == grow.Text || f.Kind == grow.Email || f.Kind == grow.State {
			copies += fill("\n        Objects.requireNonNull($f, \"$f\");", "$f", camel(f.Name))
		}
	}
	constructor := t.fill(`
    public $Type {
        Objects.requireNonNull(owner, "owner");$copies
    }`, e, "$copies", copies)
	args := func(change, to string) string {
		return each(e.Fields, ", ", func(_ int, f grow.Field) string {
			if f.Name == change {
				return to
			}
			return camel(f.Name)
		})
	}
	members := []string{t.fill(`
    /** The same record with another $text. */
    public $Type with$Text(String $text) {
        return new $Type(id, owner, $args);
    }`, e, "$args", args("", ""))}
	if f, ok := first(e, grow.Cents); ok {
		members = append(members, t.fill(`
    /** $Field in whole units and cents, as people read it. */
    public String $fieldText() {
        return String.format(Locale.ROOT, "%d.%02d", $field / 100, Math.abs($field % 100));
    }`, e, "$Field", words(f.Name), "$field", camel(f.Name)))
	}
	if f, ok := first(e, grow.Time); ok {
		members = append(members, t.fill(`
    /** Whether the moment lies behind now. */
    public boolean past(Instant now) {
        return $field != null && $field.isBefore(now);
    }`, e, "$field", camel(f.Name)))
	}
	if f, ok := first(e, grow.Tags); ok {
		members = append(members, t.fill(`
    /** How many of the wanted words the record carries. */
    public int matches(List<String> wanted) {
        int found = 0;
        for (int i = 0; i < wanted.size(); i++) {
            if ($field.contains(wanted.get(i))) {
                found++;
            }
        }
        return found;
    }`, e, "$field", camel(f.Name)))
	}
	if f, ok := first(e, grow.Ratio); ok {
		members = append(members, t.fill(`
    /** What is left of an amount in cents after the $field is taken off, never below zero. */
    public long less$Field(long cents) {
        return Math.max(0L, cents - Math.round(cents * $field));
    }`, e, "$Field", pascal(f.Name), "$field", camel(f.Name)))
	}
	members = append(members, t.fill(`
    /** Whether the record belongs to a user. */
    public boolean belongsTo(String user) {
        return owner.equals(user);
    }`, e))
	doc := t.fill(t.one("/** $A as it is stored; owner is the user it belongs to. */\n", "/** One row of $table. Records never change: they are replaced. */\n"), e,
		"$A", strings.ToUpper(article(words(e.Name))[:1])+article(words(e.Name))[1:])
	return t.body(doc+t.fill("public record $Type(long id, String owner, $params)", e, "$params", params), fields, []string{constructor}, members...)
}

// columns lists an entity's columns behind id and owner.
func columns(e grow.Entity) string {
	return each(e.Fields, ", ", func(_ int, f grow.Field) string { return f.Name })
}

// store is the access to an entity's table.
func (t *service) store(e grow.Entity) string {
	read := each(e.Fields, ",\n            ", func(_ int, f grow.Field) string {
		get := map[grow.Kind]string{grow.Cents: `rows.getLong("$")`, grow.Count: `rows.getInt("$")`, grow.Ratio: `rows.getDouble("$")`,
			grow.Time: `Instant.ofEpochSecond(rows.getLong("$"))`, grow.Flag: `rows.getBoolean("$")`, grow.Tags: `words(rows.getString("$"))`}[f.Kind]
		if get == "" {
			get = `rows.getString("$")`
		}
		return strings.ReplaceAll(get, "$", f.Name)
	})
	write := each(e.Fields, "\n            ", func(i int, f grow.Field) string {
		set := map[grow.Kind]string{grow.Cents: `setLong(#, $)`, grow.Count: `setInt(#, $)`, grow.Ratio: `setDouble(#, $)`,
			grow.Time: `setLong(#, $.getEpochSecond())`, grow.Flag: `setBoolean(#, $)`, grow.Tags: `setString(#, String.join(",", $))`}[f.Kind]
		if set == "" {
			set = `setString(#, $)`
		}
		return "insert." + strings.NewReplacer("#", fmt.Sprint(i+2), "$", camel(e.Name)+"."+camel(f.Name)+"()").Replace(set) + ";"
	})
	marks := strings.Repeat(", ?", len(e.Fields))
	first1 := []string{t.fill(`
    public $TypeStore(DataSource source) {
        this.source = source;
    }`, e)}
	members := []string{t.fill(`
    /** The record with this number, if there is one. */
    public Optional<$Type> find(long id) {
        try (Connection db = source.getConnection();
             PreparedStatement query = db.prepareStatement(SELECT + " WHERE id = ?")) {
            query.setLong(1, id);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? Optional.of(read(rows)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot read $label " + id, e);
        }
    }`, e), t.fill(t.one(`
    /** The record with this number. */
    public $Type require(long id) {
        return find(id).orElseThrow(() -> new NoSuchElementException("no $label " + id));
    }`, `
    /** The record with this number. */
    public $Type require(long id) {
        Optional<$Type> found = find(id);
        if (found.isEmpty()) {
            throw new NoSuchElementException("no $label with number " + id);
        }
        return found.get();
    }`), e), t.fill(`
    /** A user's records, the newest first. */
    public List<$Type> ofOwner(String owner, int limit) {
        List<$Type> result = new ArrayList<>();
        try (Connection db = source.getConnection();
             PreparedStatement query = db.prepareStatement(
                 SELECT + " WHERE owner = ? ORDER BY id DESC LIMIT ?")) {
            query.setString(1, owner);
            query.setInt(2, limit);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    result.add(read(rows));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot list $table of " + owner, e);
        }
        return result;
    }`, e), t.fill(`
    /** Writes a new record and says under which number. */
    public long insert($Type $var) {
        String sql = "INSERT INTO $table (owner, $allColumns) VALUES (?$marks)";
        try (Connection db = source.getConnection();
             PreparedStatement insert = db.prepareStatement(sql, PreparedStatement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, $var.owner());
            $write
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new IllegalStateException("the database gave no number to $aLabel");
                }
                return keys.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot insert $aLabel", e);
        }
    }`, e, "$allColumns", columns(e), "$marks", marks, "$write", write), t.fill(`
    /** Changes the $text of a record; says whether the record was there. */
    public boolean rename(long id, String $text) {
        try (Connection db = source.getConnection();
             PreparedStatement update = db.prepareStatement("UPDATE $table SET $column = ? WHERE id = ?")) {
            update.setString(1, $text);
            update.setLong(2, id);
            return update.executeUpdate() == 1;
        } catch (SQLException e) {
            throw new IllegalStateException("cannot rename $label " + id, e);
        }
    }`, e), t.fill(`
    /** Removes records, all of them or none. */
    public void removeAll(List<Long> ids) throws SQLException {
        try (Connection db = source.getConnection()) {
            db.setAutoCommit(false);
            try (PreparedStatement delete = db.prepareStatement("DELETE FROM $table WHERE id = ?")) {
                for (long id : ids) {
                    delete.setLong(1, id);
                    delete.addBatch();
                }
                delete.executeBatch();
                db.commit();
            } catch (SQLException e) {
                db.rollback();
                throw e;
            }
        }
    }`, e), t.fill(t.maybe(70, `
    /** Hands records over to another user, all of them or none. */
    public void handOver(String from, String to) throws SQLException {
        try (Connection db = source.getConnection()) {
            db.setAutoCommit(false);
            try (PreparedStatement update = db.prepareStatement("UPDATE $table SET owner = ? WHERE owner = ?")) {
                update.setString(1, to);
                update.setString(2, from);
                update.executeUpdate();
                db.commit();
            } catch (SQLException e) {
                db.rollback();
                throw e;
            }
        }
    }`), e), t.fill(`
    private static $Type read(ResultSet rows) throws SQLException {
        return new $Type(rows.getLong("id"), rows.getString("owner"),
            $read);
    }`, e, "$read", read)}
	if _, ok := first(e, grow.Tags); ok {
		members = append(members, `
    private static List<String> words(String joined) {
        return joined == null || joined.isBlank() ? List.of() : List.of(joined.split(","));
    }`)
	}
	if f, ok := first(e, grow.State); ok {
		members = append(members, t.fill(`
    /** How many records stand at $aField. */
    public int count(String $field) {
        try (Connection db = source.getConnection();
             PreparedStatement query = db.prepareStatement("SELECT COUNT(*) FROM $table WHERE $name = ?")) {
            query.setString(1, $field);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot count $table", e);
        }
    }`, e, "$aField", article(f.Name), "$field", camel(f.Name), "$name", f.Name))
	}
	doc := t.fill(t.one("/** Reads and writes the table $table. */\n", "/** The $table of the database. Safe for use by many threads: each call takes its own connection. */\n"), e)
	return t.body(doc+t.fill("public final class $TypeStore", e),
		t.fill("    private static final String SELECT = \"SELECT id, owner, $allColumns FROM $table\";\n\n    private final DataSource source;", e, "$allColumns", columns(e)),
		first1, members...)
}

// service holds the rules over an entity's records.
func (t *service) service(e grow.Entity) string {
	verb := t.Domain.Verb(t.Rand)
	limit := t.one("50", "100", "200", "250")
	fields := t.fill(`
    private static final int MAX_ROWS = $limit;
    private static final int MAX_RECENT = 1_000;

    private final $TypeStore store;
    private final Access access;
    private final Map<String, Instant> lastSeen = new ConcurrentHashMap<>();
    private int served;`, e, "$limit", limit)
	first1 := []string{t.fill(`
    public $TypeService($TypeStore store, Access access) {
        this.store = store;
        this.access = access;
    }`, e)}
	members := []string{t.fill(t.one(`
    /** A user's own records, no more than MAX_ROWS of them. */
    public List<$Type> list(String user, int limit) {
        int rows = Math.min(Math.max(limit, 1), MAX_ROWS);
        touch(user);
        return store.ofOwner(user, rows);
    }`, `
    /** The newest records of a user; asks for MAX_ROWS at most. */
    public List<$Type> list(String user, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be positive");
        }
        touch(user);
        return store.ofOwner(user, Math.min(limit, MAX_ROWS));
    }`), e), t.fill(t.one(`
    /** Gives a record another $text. Throws SecurityException when the user may not. */
    public void rename(String user, long id, String $text) {
        if ($text == null || $text.isBlank()) {
            throw new IllegalArgumentException("$text must not be empty");
        }
        String owner = store.require(id).owner();
        if (!access.canEdit(user, owner)) {
            throw new SecurityException(user + " may not edit $label " + id);
        }
        $text = $text.strip();
        if (!store.rename(id, $text)) {
            throw new NoSuchElementException("$label " + id + " is gone");
        }
    }`, `
    /** Changes the $text of a record that the user may edit. */
    public boolean rename(String user, long id, String $text) {
        $Type $var = store.require(id);
        if (!access.canEdit(user, $var.owner())) {
            throw new SecurityException("not allowed: $label " + id);
        }
        if ($text == null || $text.isEmpty()) {
            return false;
        }
        $text = $text.trim();
        return store.rename(id, $text);
    }`), e), t.fill(`
    /** Whether a user may $verb the record. */
    public boolean may$Verb(String user, long id) {
        $Type $var = store.require(id);
        return $var.belongsTo(user) || access.canEdit(user, $var.owner());
    }`, e, "$verb", words(verb), "$Verb", pascal(verb)), t.fill(`
    /** When a user last asked, if that is still known. */
    public Optional<Instant> lastSeen(String user) {
        return Optional.ofNullable(lastSeen.get(user));
    }`, e), `
    /** How many lists were served since the start. */
    public synchronized int served() {
        return served;
    }`, `
    private void touch(String user) {
        if (lastSeen.size() >= MAX_RECENT) {
            lastSeen.clear();
        }
        lastSeen.put(user, Instant.now());
        countServed();
    }`, `
    private synchronized void countServed() {
        served++;
    }`}
	if f, ok := first(e, grow.Cents); ok {
		members = append(members, t.fill(`
    /** Sum of $field over some records, in cents. Throws ArithmeticException when it does not fit. */
    public long total(List<$Type> records) {
        long sum = 0;
        for (int i = 0; i < records.size(); i++) {
            sum = Math.addExact(sum, records.get(i).$field());
        }
        return sum;
    }`, e, "$field", camel(f.Name)))
	}
	if f, ok := first(e, grow.State); ok {
		members = append(members, t.fill(`
    /** Those of a user's newest records that stand at one $field. */
    public List<$Type> in$Field(String user, String $field) {
        if (!$Type.$SET.contains($field)) {
            throw new IllegalArgumentException("no such $field: " + $field);
        }
        List<$Type> result = new ArrayList<>();
        for ($Type $var : list(user, MAX_ROWS)) {
            if ($var.$field().equals($field)) {
                result.add($var);
            }
        }
        return result;
    }`, e, "$field", camel(f.Name), "$Field", pascal(f.Name), "$SET", strings.ToUpper(plural(f.Name))))
	}
	doc := t.fill(t.one("/** What users may do with $table. */\n", "/** The rules over $table; knows nothing of requests and tables. */\n"), e)
	return t.body(doc+t.fill("public final class $TypeService", e), fields, first1, members...)
}

func (t *service) modelTest(e grow.Entity) string {
	return t.body(t.fill("class $TypeTest", e), "", []string{t.fill(`
    private static $Type sample() {
        return new $Type(7L, "ada", $args);
    }`, e, "$args", t.sampleArgs(e))}, t.fill(`
    @Test
    void replacesOnlyThe$Text() {
        $Type changed = sample().with$Text("other");
        assertEquals("other", changed.$text());
        assertEquals(sample().id(), changed.id());
    }`, e), t.fill(`
    @Test
    void belongsToItsOwnerOnly() {
        assertTrue(sample().belongsTo("ada"));
        assertFalse(sample().belongsTo("bob"));
    }`, e))
}

// sampleArgs are the fields of an entity as tests fill them in.
func (t *service) sampleArgs(e grow.Entity) string {
	return each(e.Fields, ", ", func(i int, f grow.Field) string {
		switch f.Kind {
		case grow.Email:
			return `"ada@example.org"`
		case grow.Cents:
			return fmt.Sprintf("%dL", 100+t.Rand.IntN(9000))
		case grow.Count:
			return fmt.Sprint(1 + t.Rand.IntN(20))
		case grow.Ratio:
			return "0." + fmt.Sprint(1+t.Rand.IntN(9))
		case grow.Time:
			return fmt.Sprintf("Instant.ofEpochSecond(%dL)", 1_700_000_000+t.Rand.IntN(9_000_000))
		case grow.Flag:
			return t.one("true", "false")
		case grow.State:
			return fmt.Sprintf("%q", f.Words[t.Rand.IntN(len(f.Words))])
		case grow.Tags:
			return `List.of("red", "blue")`
		}
		return fmt.Sprintf("%q", t.one("first", "spare", "north", "old"))
	})
}
