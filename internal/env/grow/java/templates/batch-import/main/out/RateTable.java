/** How much a foreign unit is worth, in millionths of a cent. Rates may change while feeds run. */
public final class RateTable {
    private static final long SCALE = 1_000_000L;

    private final Map<String, Long> rates = new ConcurrentHashMap<>();

    //: .shuffled

    /** Sets the rate of a currency. */
    public void set(String currency, long millionths) {
        if (currency == null || currency.length() != 3) {
            throw new IllegalArgumentException("no currency: " + currency);
        }
        rates.put(currency.toUpperCase(Locale.ROOT), Math.max(0, millionths));
    }

    /** A foreign amount in cents, rounded down. Throws NoSuchElementException for a currency without a rate. */
    public long cents(String currency, long amount) {
        Long rate = rates.get(currency);
        if (rate == null) {
            throw new NoSuchElementException("no rate for " + currency);
        }
        return Math.floorDiv(Math.multiplyExact(amount, rate.longValue()), SCALE);
    }
}
