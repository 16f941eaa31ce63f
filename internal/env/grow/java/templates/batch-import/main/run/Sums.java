/** Amounts in cents, added up by name. Several feeds may add at once. */
public final class Sums {
    /** One sum with the number of amounts in it. */
    public record Sum(String name, long cents, int rows) {
        Sum plus(long more) {
            return new Sum(name, Math.addExact(cents, more), rows + 1);
        }
    }

    private final Map<String, Sum> sums = new TreeMap<>();
    private int rows;

    //: .shuffled

    /** Adds an amount. Throws ArithmeticException when the sum no longer fits. */
    public synchronized void add(String name, long cents) {
        Sum old = sums.getOrDefault(name, new Sum(name, 0, 0));
        sums.put(name, old.plus(cents));
        rows++;
    }

    //: if call .coin
    /** The sum of a name. */
    public synchronized Sum require(String name) {
        Sum sum = sums.get(name);
        if (sum == null) {
            throw new NoSuchElementException("no sum for " + name);
        }
        return sum;
    }

    //: else
    /** The sum of a name that somebody added to. */
    public synchronized Sum require(String name) {
        return Optional.ofNullable(sums.get(name)).orElseThrow(() -> new NoSuchElementException(name));
    }

    //: end

    /** The names in alphabetical order. */
    public synchronized List<String> names() {
        return List.copyOf(sums.keySet());
    }

    /** How many amounts were added. */
    public synchronized int rows() {
        return rows;
    }

    /** Everything together, in cents. */
    public synchronized long total() {
        long total = 0;
        for (Sum sum : sums.values()) {
            total = Math.addExact(total, sum.cents());
        }
        return total;
    }
}
