/** The people who look at sums, and up to which amount each may approve them. */
public final class Clerks {
    private final Map<String, Long> limits = new ConcurrentHashMap<>();
    private final Set<String> onLeave = ConcurrentHashMap.newKeySet();

    //: .shuffled

    /** Sets up to how many cents somebody may approve. */
    public void limit(String clerk, long cents) {
        limits.put(clerk, cents);
    }

    public void leave(String clerk) {
        onLeave.add(clerk);
    }

    //: if call .coin
    /** Whether a clerk may approve a sum that another one prepared: within the limit, at work, and never one's own. */
    public boolean mayApprove(String clerk, String preparedBy, long cents) {
        Long limit = limits.get(clerk);
        return limit != null && limit.longValue() >= cents && !onLeave.contains(clerk) && !clerk.equals(preparedBy);
    }

    //: else
    /** Whether somebody may approve what was prepared. */
    public boolean mayApprove(String clerk, String preparedBy, long cents) {
        boolean fit = !onLeave.contains(clerk) && limits.getOrDefault(clerk, -1L) >= cents;
        return fit && !preparedBy.equals(clerk);
    }

    //: end

    /** The clerks who could approve an amount now. */
    public List<String> fitFor(long cents) {
        return limits.entrySet().stream()
            .filter(entry -> entry.getValue() >= cents)
            .map(Map.Entry::getKey)
            .filter(clerk -> !onLeave.contains(clerk))
            .sorted()
            .toList();
    }
}
