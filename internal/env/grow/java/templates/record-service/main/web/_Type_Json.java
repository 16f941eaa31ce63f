/** Writes _table_ as JSON. */
public final class _Type_Json {
    private _Type_Json() {
    }

    //: .shuffled

    public static String write(_Type_ _var_) {
        StringBuilder out = new StringBuilder("{\"id\":").append(_var_.id());
        out.append(",\"owner\":").append(quote(_var_.owner()));
        //: range .fields
        //: if eq .kind "cents" "count" "ratio" "flag"
        out.append(",\"_fieldColumn_\":").append(_var_._field_());
        //: else if eq .kind "time"
        out.append(",\"_fieldColumn_\":").append(_var_._field_().getEpochSecond());
        //: else if eq .kind "tags"
        out.append(",\"_fieldColumn_\":").append(quote(String.join(",", _var_._field_())));
        //: else
        out.append(",\"_fieldColumn_\":").append(quote(_var_._field_()));
        //: end
        //: end
        return out.append("}").toString();
    }

    /** An array of records, in the order given. */
    public static String write(List<_Type_> records) {
        StringJoiner out = new StringJoiner(",", "[", "]");
        for (int i = 0; i < records.size(); i++) {
            out.add(write(records.get(i)));
        }
        return out.toString();
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
