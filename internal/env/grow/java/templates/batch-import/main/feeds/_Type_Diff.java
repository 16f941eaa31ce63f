/** What changed among _labels_ from one run to the next. */
public final class _Type_Diff {
    //: call .choose "tolerance" "0L" "1L" "50L"
    //: call .redraw 1
    private static final long TOLERANCE_CENTS = _tolerance_;

    //: call .redraw 1

    private final Map<String, Long> before = new TreeMap<>();
    private final Map<String, Long> after = new TreeMap<>();

    public _Type_Diff(List<_Type_Feed.Line> old, List<_Type_Feed.Line> fresh) {
        for (_Type_Feed.Line line : old) {
            before.merge(line._text_(), line._cents_(), Math::addExact);
        }
        for (_Type_Feed.Line line : fresh) {
            after.merge(line._text_(), line._cents_(), Math::addExact);
        }
    }

    //: .shuffled

    //: if call .coin
    /** The names that are new. */
    public List<String> added() {
        List<String> names = new ArrayList<>(after.keySet());
        names.removeAll(before.keySet());
        return names;
    }

    //: else
    /** The names that only the later run has, in alphabetical order. */
    public List<String> added() {
        List<String> names = new ArrayList<>();
        for (String name : after.keySet()) {
            if (name != null && !before.containsKey(name)) {
                names.add(name);
            }
        }
        return names;
    }

    //: end
    //: call .redraw 4

    /** The names that are gone. */
    public List<String> removed() {
        List<String> names = new ArrayList<>(before.keySet());
        names.removeAll(after.keySet());
        return names;
    }

    /** By how many cents a name changed; one that is missing counts as 0. Throws ArithmeticException when that does not fit. */
    public long change(String name) {
        long was = before.getOrDefault(name, 0L);
        long is = after.getOrDefault(name, 0L);
        return Math.subtractExact(is, was);
    }

    /** One line for each of the names that changed by more than the tolerance. */
    public List<String> report(List<String> names) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            long change = change(names.get(i));
            if (Math.abs(change) > TOLERANCE_CENTS) {
                lines.add(names.get(i) + " " + change);
            }
        }
        return lines;
    }
}
