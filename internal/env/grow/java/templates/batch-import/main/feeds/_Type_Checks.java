/** What lines of _labels_ must keep to. */
public final class _Type_Checks {
    //: call .choose "most" "500" "1_000" "9_999"
    //: call .choose "cap" "1_000_000L" "5_000_000L" "25_000_000L"
    //: call .redraw 1
    private static final int MOST = _most_;
    private static final long CAP_CENTS = _cap_;
    <%- with .first.state %>
    private static final Set<String> KNOWN = Set.of(_quotedWords_);
    <%- end %>

    //: call .redraw 4

    private final Set<String> seen = new HashSet<>();

    //: .shuffled

    /** What is wrong with some lines, each problem with the number of its line. */
    public List<String> problems(List<_Type_Feed.Line> lines) {
        List<String> problems = new ArrayList<>();
        if (lines.size() > MOST) {
            problems.add("more lines than " + MOST);
        }
        for (_Type_Feed.Line line : lines) {
            if (line._cents_() > CAP_CENTS) {
                problems.add(line.number() + ": above the cap");
            }
            //: range .fields
            //: if eq .kind "count"
            if (line._field_() > MOST) {
                problems.add(line.number() + ": too many _fieldLabel_");
            }
            //: else if eq .kind "state"
            if (!KNOWN.contains(line._field_())) {
                problems.add(line.number() + ": unknown _fieldLabel_");
            }
            //: else if eq .kind "email"
            if (line._field_().indexOf('@') < 1) {
                problems.add(line.number() + ": no address");
            }
            //: end
            //: end
        }
        return problems;
    }

    /** What a line of a feed says, for people. */
    public static String explain(_Type_Feed feed, int number) {
        return feed.line(number)._text_() + " on line " + number;
    }

    /** Whether a line is the first one under its name in this run. */
    public boolean fresh(_Type_Feed.Line line) {
        String key = line._text_();
        key = key.toLowerCase(Locale.ROOT);
        return seen.add(key);
    }

    /** Two lines stand for the same thing when name and amount agree. */
    public static boolean same(_Type_Feed.Line a, _Type_Feed.Line b) {
        return a._text_().equals(b._text_()) && a._cents_() == b._cents_();
    }
}
