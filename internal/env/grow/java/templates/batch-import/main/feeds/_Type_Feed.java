//: call .deed
/** Takes the rows of _labels_ and adds their amounts up. */
public final class _Type_Feed {
    /** One row that passed. */
    public record Line(int number, String _text_, long _cents_
        <%- range .fields %>
        <%- if eq .kind "count" "flag" "state" "email" %>, _javaType_ _field_<% end %>
        <%- end %>) {
    }

    private final Sums sums;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    public _Type_Feed(Sums sums) {
        this.sums = sums;
    }

    //: .shuffled

    //: if call .coin
    /** Takes all rows; what is wrong with a row becomes a complaint and the row is left out. */
    public void take(List<Row> rows) {
        for (int i = 0; i < rows.size(); i++) {
            try {
                Line line = parse(rows.get(i));
                sums.add(line._text_(), line._cents_());
                lines.add(line);
            } catch (IllegalArgumentException e) {
                complaints.add(e.getMessage());
            }
        }
    }

    //: else
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
            sums.add(line._text_(), line._cents_());
        }
    }

    //: end

    //: call .choose "long" "80" "120" "160"
    private static Line parse(Row row) {
        String _text_ = row.text("_column_");
        if (_text_.length() > _long_) {
            throw new IllegalArgumentException("line " + row.line() + ": _column_ is too long");
        }
        return new Line(row.line(), _text_, row.cents("_centsColumn_")
            <%- range .fields %>
            <%- if eq .kind "count" %>, row.count("_fieldColumn_")
            <%- else if eq .kind "flag" %>, row.yes("_fieldColumn_")
            <%- else if eq .kind "state" "email" %>, row.text("_fieldColumn_")
            <%- end %>
            <%- end %>);
    }

    /** What one of the _labels_ has cost so far, in cents. */
    public long cost(String _text_) {
        return sums.require(_text_).cents();
    }

    /** The average amount under one name, in cents, rounded down. */
    public long mean_Verb_(String _text_) {
        Sums.Sum sum = sums.require(_text_);
        return sum.cents() / Math.max(1, sum.rows());
    }

    /** The line with that number. */
    public Line line(int number) {
        return lines.stream().filter(line -> line.number() == number).findFirst().orElseThrow(() -> new NoSuchElementException("line " + number));
    }

    public List<Line> lines() {
        return List.copyOf(lines);
    }

    /** What was wrong, in the order of the rows. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    //: with .first.state
    /** The lines that stand at one _field_, in their order. */
    public List<Line> at(String _field_) {
        List<Line> chosen = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i)._field_().equals(_field_)) {
                chosen.add(lines.get(i));
            }
        }
        return chosen;
    }
    //: end
}
