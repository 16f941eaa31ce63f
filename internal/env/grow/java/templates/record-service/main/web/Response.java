/** What a handler answers. */
public record Response(int status, String type, String body) {
    public static Response html(String body) {
        return new Response(200, "text/html; charset=utf-8", body);
    }

    public static Response json(String body) {
        return new Response(200, "application/json", body);
    }

    /** A short plain text with a status. */
    public static Response plain(int status, String message) {
        return new Response(status, "text/plain; charset=utf-8", message + "\n");
    }
}
