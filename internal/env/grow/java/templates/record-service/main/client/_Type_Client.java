/** Asks the registry of the _table_. */
public final class _Type_Client {
    //: call .choose "timeout" "5" "10" "15"
    private static final Duration TIMEOUT = Duration.ofSeconds(_timeout_);

    private final HttpClient http;
    private final URI base;
    private final String key;
    private final RetryPolicy retries;

    public _Type_Client(HttpClient http, URI base, String key, RetryPolicy retries) {
        this.http = http;
        this.base = base;
        this.key = key;
        this.retries = retries;
    }

    //: .shuffled

    /** The registry's text about one record. Throws IOException when it has none. */
    public String fetch(long id) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("_key_/" + id)).timeout(TIMEOUT).header("X-Api-Key", key).build();
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException("registry answered " + response.statusCode());
            }
            return response.body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Whether the registry knows a record. */
    public boolean knows(long id) {
        try {
            return !fetch(id).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("registry of _table_", e);
        }
    }

    /** The texts of some records, in that order. */
    public List<String> fetchAll(List<Long> ids) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            long id = ids.get(i);
            texts.add(retries.call(() -> fetch(id)));
        }
        return texts;
    }
}
