/** Text as it may stand in a sheet. */
public final class Markup {
    private Markup() {
    }

    //: .shuffled

    //: if call .coin
    /** Replaces what has a meaning in HTML, in texts and in quoted attributes. */
    public static String escape(String text) {
        return text
            .replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;");
    }

    //: else
    /** Makes a text harmless in HTML. */
    public static String escape(String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
        return escaped.replace(">", "&gt;");
    }

    //: end

    /** An amount in cents as people write it. */
    public static String money(long cents) {
        String sign = cents < 0 ? "-" : "";
        return sign + Math.abs(cents / 100) + "." + String.format(Locale.ROOT, "%02d", Math.abs(cents % 100));
    }

    /** The beginning of a sheet. */
    public static String head(String title) {
        return "<!doctype html><html><head><meta charset=\"utf-8\"><title>" + escape(title) + "</title></head><body>\n";
    }
}
