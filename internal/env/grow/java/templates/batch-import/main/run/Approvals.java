/** Sums that were prepared, and who approved them. */
public final class Approvals {
    private record Prepared(String by, long cents) {
    }

    private final Clerks clerks;
    private final Sums sums;
    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Map<String, String> approvedBy = new HashMap<>();

    public Approvals(Clerks clerks, Sums sums) {
        this.clerks = clerks;
        this.sums = sums;
    }

    //: .shuffled

    /** Prepares the sum of a name for approval. */
    public synchronized void prepare(String clerk, String name) {
        long cents = sums.require(name).cents();
        prepared.put(name, new Prepared(clerk, cents));
    }

    /** Approves a prepared sum. Throws SecurityException when the clerk may not. */
    public synchronized void approve(String clerk, String name) {
        Prepared sum = prepared.get(name);
        if (sum == null) {
            throw new NoSuchElementException("nothing prepared for " + name);
        }
        if (!clerks.mayApprove(clerk, sum.by(), sum.cents())) {
            throw new SecurityException(clerk + " may not approve " + name);
        }
        approvedBy.put(name, clerk);
        prepared.remove(name);
    }

    /** Who approved a sum, null when nobody did. */
    public synchronized String approver(String name) {
        return approvedBy.get(name);
    }

    /** Whether somebody other than the clerk has to look at a sum. */
    public synchronized boolean waitsForOthers(String clerk, String name) {
        Prepared sum = prepared.get(name);
        return sum != null && sum.by().equals(clerk);
    }
}
