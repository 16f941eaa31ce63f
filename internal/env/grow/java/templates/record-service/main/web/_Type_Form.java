/** Reads _oneLabel_ out of a request. */
public final class _Type_Form {
    //: call .choose "longest" "120" "200" "255"
    private static final int MAX_TEXT = _longest_;

    private _Type_Form() {
    }

    /** The new record that a request asks for, owned by its user. Throws IllegalArgumentException for what is no good. */
    public static _Type_ read(Request request) {
        //: range .fields
        //: if eq .kind "text"
        String _field_ = text(request.required("_fieldColumn_"));
        //: else if eq .kind "email"
        String _field_ = address(request.required("_fieldColumn_"));
        //: else if eq .kind "cents"
        long _field_ = cents(request.required("_fieldColumn_"));
        //: else if eq .kind "count"
        int _field_ = Math.max(0, request.number("_fieldColumn_", 0));
        //: else if eq .kind "ratio"
        double _field_ = ratio(request.required("_fieldColumn_"));
        //: else if eq .kind "time"
        Instant _field_ = moment(request.required("_fieldColumn_"));
        //: else if eq .kind "flag"
        boolean _field_ = "on".equals(request.parameters().get("_fieldColumn_"));
        //: else if eq .kind "state"
        String _field_ = request.required("_fieldColumn_");
        if (!_Type_._Choices_.contains(_field_)) {
            throw new IllegalArgumentException("no such _fieldColumn_: " + _field_);
        }
        //: else if eq .kind "tags"
        List<String> _field_ = tags(request.parameters().get("_fieldColumn_"));
        //: end
        //: end
        return new _Type_(0, request.user(), _fieldNames_);
    }

    //: .shuffled

    //: range .fields
    //: if not .firstOfKind
    //: else if eq .kind "text"
    private static String text(String value) {
        String text = value.strip();
        if (text.length() > MAX_TEXT) {
            throw new IllegalArgumentException("longer than " + MAX_TEXT + " characters");
        }
        return text;
    }

    //: else if eq .kind "email"
    private static String address(String value) {
        int at = value.indexOf('@');
        if (at < 1 || at == value.length() - 1) {
            throw new IllegalArgumentException("no mail address: " + value);
        }
        return value.toLowerCase(Locale.ROOT);
    }

    //: else if eq .kind "cents"
    /** Reads an amount such as 12.50 as cents. */
    private static long cents(String value) {
        try {
            return new BigDecimal(value).movePointRight(2).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException("no amount: " + value, e);
        }
    }

    //: else if eq .kind "ratio"
    private static double ratio(String value) {
        double ratio = Double.parseDouble(value);
        if (!(ratio >= 0 && ratio <= 1)) {
            throw new IllegalArgumentException("not between 0 and 1: " + value);
        }
        return ratio;
    }

    //: else if eq .kind "time"
    private static Instant moment(String value) {
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("no moment: " + value, e);
        }
    }

    //: else if eq .kind "tags"
    private static List<String> tags(String value) {
        if (value == null || value.isBlank()) {
            return List.of();
        }
        String[] words = value.split(",");
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].strip();
        }
        return List.of(words);
    }

    //: end
    //: end
}
