/**
 * Something that happened.
 *
 * @param seq      position in the inbox, rising, never used twice
 * @param key      idempotency key chosen by the sender
 * @param kind     which plugins it is for
 * @param atMillis when it happened, in milliseconds since 1970
 * @param data     names and values, as the sender wrote them
 */
public record Event(long seq, String key, String kind, long atMillis, Map<String, String> data) implements Serializable {
  public Event {
    data = Map.copyOf(data);
  }

  /** A value of the event as a whole number; the fallback stands in for a missing one. */
  public long number(String field, long fallback) {
    var raw = data.get(field);
    return raw == null ? fallback : Long.parseLong(raw);
  }

  /** A value of the event as text, empty when missing. */
  public String text(String field) {
    return data.getOrDefault(field, "");
  }
}
