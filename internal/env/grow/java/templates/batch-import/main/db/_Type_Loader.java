/** Writes lines of _labels_ into the table _table_. */
public final class _Type_Loader {
    private final DataSource database;

    public _Type_Loader(DataSource database) {
        this.database = database;
    }

    //: .shuffled

    /** Writes all lines, or none of them. */
    public void load(String run, List<_Type_Feed.Line> lines) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO _table_ (run, _column_, _centsColumn_) VALUES (?, ?, ?)")) {
                for (_Type_Feed.Line line : lines) {
                    insert.setString(1, run);
                    insert.setString(2, line._text_());
                    insert.setLong(3, line._cents_());
                    insert.addBatch();
                }
                insert.executeBatch();
                connection.commit();
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    //: if call .coin
    /** What was loaded under a name in one run, in cents. */
    public long loaded(String run, String _text_) throws SQLException {
        String sql = "SELECT SUM(_centsColumn_) FROM _table_ WHERE run = ? AND _column_ = ?";
        try (Connection connection = database.getConnection(); PreparedStatement query = connection.prepareStatement(sql)) {
            query.setString(1, run);
            query.setString(2, _text_);
            try (ResultSet result = query.executeQuery()) {
                return result.next() ? result.getLong(1) : 0;
            }
        }
    }

    //: else
    /** The names that one run loaded, in alphabetical order. */
    public List<String> names(String run) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = database.getConnection();
             PreparedStatement query = connection.prepareStatement("SELECT DISTINCT _column_ FROM _table_ WHERE run = ? ORDER BY _column_")) {
            query.setString(1, run);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    names.add(result.getString(1));
                }
            }
        }
        return names;
    }

    //: end

    /** Takes a run back. Throws IllegalStateException when the database refuses. */
    public int undo(String run) {
        try (Connection connection = database.getConnection();
             PreparedStatement delete = connection.prepareStatement("DELETE FROM _table_ WHERE run = ?")) {
            delete.setString(1, run);
            return delete.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot undo " + run, e);
        }
    }
}
