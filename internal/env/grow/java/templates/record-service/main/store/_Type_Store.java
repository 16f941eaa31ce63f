//: $direct := call .coin
//: $handOver := call .chance 70
//: if call .coin
/** Reads and writes the table _table_. */
//: else
/** The _table_ of the database. Safe for use by many threads: each call takes its own connection. */
//: end
public final class _Type_Store {
    private static final String SELECT = "SELECT id, owner, _columns_ FROM _table_";

    private final DataSource source;

    public _Type_Store(DataSource source) {
        this.source = source;
    }

    //: .shuffled

    /** The record with this number, if there is one. */
    public Optional<_Type_> find(long id) {
        try (Connection db = source.getConnection();
             PreparedStatement query = db.prepareStatement(SELECT + " WHERE id = ?")) {
            query.setLong(1, id);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? Optional.of(read(rows)) : Optional.empty();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot read _label_ " + id, e);
        }
    }

    //: if $direct
    /** The record with this number. */
    public _Type_ require(long id) {
        return find(id).orElseThrow(() -> new NoSuchElementException("no _label_ " + id));
    }

    //: else
    /** The record with this number. */
    public _Type_ require(long id) {
        Optional<_Type_> found = find(id);
        if (found.isEmpty()) {
            throw new NoSuchElementException("no _label_ with number " + id);
        }
        return found.get();
    }

    //: end

    /** A user's records, the newest first. */
    public List<_Type_> ofOwner(String owner, int limit) {
        List<_Type_> result = new ArrayList<>();
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
            throw new IllegalStateException("cannot list _table_ of " + owner, e);
        }
        return result;
    }

    /** Writes a new record and says under which number. */
    public long insert(_Type_ _var_) {
        String sql = "INSERT INTO _table_ (owner, _columns_) VALUES (?<% range .fields %>, ?<% end %>)";
        try (Connection db = source.getConnection();
             PreparedStatement insert = db.prepareStatement(sql, PreparedStatement.RETURN_GENERATED_KEYS)) {
            insert.setString(1, _var_.owner());
            //: range .fields
            //: if eq .kind "time"
            insert.setLong(_place_, _var_._field_().getEpochSecond());
            //: else if eq .kind "tags"
            insert.setString(_place_, String.join(",", _var_._field_()));
            //: else
            insert.set_Jdbc_(_place_, _var_._field_());
            //: end
            //: end
            insert.executeUpdate();
            try (ResultSet keys = insert.getGeneratedKeys()) {
                if (!keys.next()) {
                    throw new IllegalStateException("the database gave no number to _oneLabel_");
                }
                return keys.getLong(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot insert _oneLabel_", e);
        }
    }

    /** Changes the _text_ of a record; says whether the record was there. */
    public boolean rename(long id, String _text_) {
        try (Connection db = source.getConnection();
             PreparedStatement update = db.prepareStatement("UPDATE _table_ SET _column_ = ? WHERE id = ?")) {
            update.setString(1, _text_);
            update.setLong(2, id);
            return update.executeUpdate() == 1;
        } catch (SQLException e) {
            throw new IllegalStateException("cannot rename _label_ " + id, e);
        }
    }

    /** Removes records, all of them or none. */
    public void removeAll(List<Long> ids) throws SQLException {
        try (Connection db = source.getConnection()) {
            db.setAutoCommit(false);
            try (PreparedStatement delete = db.prepareStatement("DELETE FROM _table_ WHERE id = ?")) {
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
    }

    //: if $handOver
    /** Hands records over to another user, all of them or none. */
    public void handOver(String from, String to) throws SQLException {
        try (Connection db = source.getConnection()) {
            db.setAutoCommit(false);
            try (PreparedStatement update = db.prepareStatement("UPDATE _table_ SET owner = ? WHERE owner = ?")) {
                update.setString(1, to);
                update.setString(2, from);
                update.executeUpdate();
                db.commit();
            } catch (SQLException e) {
                db.rollback();
                throw e;
            }
        }
    }

    //: end

    private static _Type_ read(ResultSet rows) throws SQLException {
        return new _Type_(rows.getLong("id"), rows.getString("owner")
            <%- range .fields %>,
            <% if eq .kind "time" %>Instant.ofEpochSecond(rows.getLong("_fieldColumn_"))
            <%- else if eq .kind "tags" %>words(rows.getString("_fieldColumn_"))
            <%- else %>rows.get_Jdbc_("_fieldColumn_")
            <%- end %>
            <%- end %>);
    }

    //: with .first.tags
    private static List<String> words(String joined) {
        return joined == null || joined.isBlank() ? List.of() : List.of(joined.split(","));
    }

    //: end

    //: with .first.state
    /** How many records stand at _oneField_. */
    public int count(String _field_) {
        try (Connection db = source.getConnection();
             PreparedStatement query = db.prepareStatement("SELECT COUNT(*) FROM _table_ WHERE _fieldColumn_ = ?")) {
            query.setString(1, _field_);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot count _table_", e);
        }
    }
    //: end
}
