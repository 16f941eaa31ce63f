/** Who works on which file at the moment. A lease that nobody gives back ends by itself. */
public final class Leases {
    private record Lease(String holder, long endsAt) {
    }

    private final Map<String, Lease> leases = new HashMap<>();
    private final Clock clock;

    public Leases(Clock clock) {
        this.clock = clock;
    }

    //: .shuffled

    /** Takes a lease for so many milliseconds; false while somebody else has it. */
    public synchronized boolean take(String file, String holder, long holdMillis) {
        Lease lease = leases.get(file);
        if (lease != null && lease.endsAt() > clock.millis()) {
            return false;
        }
        leases.put(file, new Lease(holder, clock.millis() + holdMillis));
        return true;
    }

    /** Gives a lease back, unless it ended and somebody else has it by now. */
    public synchronized void release(String file, String holder) {
        Lease lease = leases.get(file);
        if (lease != null && lease.holder().equals(holder)) {
            leases.remove(file);
        }
    }

    /** How many leases are out, ended ones included. */
    public synchronized int out() {
        return leases.size();
    }
}
