package shop;

import java.sql.*;
import java.util.List;

@Service
public class Store<T extends Comparable<T>> implements AutoCloseable {
    private static final int LIMIT = 10;

    @Override
    public List<T> find(String name, int... rest) throws SQLException {
        String sql = "SELECT * FROM orders WHERE name = '" + name + "'";
        try (Statement s = db.createStatement()) {
            ResultSet rows = s.executeQuery(sql);
            while (rows.next()) {
                out.add((T) rows.getObject(1));
            }
        } catch (SQLException | RuntimeException e) {
            throw new IllegalStateException(e);
        }
        return out.stream().filter(x -> x != null).map(Store::copy).toList();
    }

    record Point(int x, int y) {}

    enum Level { LOW, HIGH; }
}
