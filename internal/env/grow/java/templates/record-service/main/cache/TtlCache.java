/** Keeps values for a while. Safe for use by many threads; never holds more than MAX_ENTRIES. */
public final class TtlCache<V> {
    //: call .choose "size" "500" "1_000" "2_000"
    private static final int MAX_ENTRIES = _size_;

    private record Entry<V>(V value, long expiresAt) {
    }

    private final Map<String, Entry<V>> entries = new LinkedHashMap<>();
    private final Clock clock;

    public TtlCache(Clock clock) {
        this.clock = clock;
    }

    //: .shuffled

    /** Keeps a value for so many milliseconds. */
    public synchronized void put(String key, V value, long ttlMillis) {
        if (entries.size() >= MAX_ENTRIES && !entries.containsKey(key)) {
            Iterator<String> oldest = entries.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        entries.put(key, new Entry<>(value, clock.millis() + ttlMillis));
    }

    /** The value, unless it is unknown or too old. */
    public synchronized Optional<V> get(String key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (entry.expiresAt() <= clock.millis()) {
            entries.remove(key);
            return Optional.empty();
        }
        return Optional.of(entry.value());
    }

    /** Forgets one value. */
    public synchronized void remove(String key) {
        entries.remove(key);
    }

    /** How many values are held, old ones included. */
    public synchronized int size() {
        return entries.size();
    }

    /** Forgets all values that are too old by now. */
    public synchronized void sweep() {
        long now = clock.millis();
        entries.values().removeIf(entry -> entry.expiresAt() <= now);
    }
}
