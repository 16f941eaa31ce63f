/** Builds small pieces of pages. */
public final class Html {
    private Html() {
    }

    //: .shuffled

    //: if call .coin
    /** Text that is safe between tags and in quoted attributes. */
    public static String escape(String text) {
        if (text == null || text.isEmpty()) {
            return "";
        }
        return text.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace("\"", "&quot;")
            .replace("'", "&#39;");
    }

    //: else
    /** Makes text safe for pages, quoted attributes included; null becomes empty. */
    public static String escape(String text) {
        if (text == null) {
            return "";
        }
        String safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return safe.replace("\"", "&quot;").replace("'", "&#39;");
    }

    //: end

    /** A whole page. The body is markup already, the title is not. */
    public static String page(String title, String body) {
        return "<!doctype html>\n<html><head><title>" + escape(title) + "</title></head>\n<body>\n" + body + "</body></html>\n";
    }

    /** A list item with a text. */
    public static String item(String text) {
        return "<li>" + escape(text) + "</li>\n";
    }
}
