/** One step of the run over one file. */
public final class Stage {
    /** What a stage does. */
    @FunctionalInterface
    public interface Work {
        void run(Path file) throws IOException;
    }

    private final String name;
    private final Leases leases;
    private final Duration hold;
    private final Set<String> finished = ConcurrentHashMap.newKeySet();

    public Stage(String name, Leases leases, Duration hold) {
        this.name = name;
        this.leases = leases;
        this.hold = hold;
    }

    //: .shuffled

    //: if call .coin
    /** Runs the work unless somebody else is at it or it was done before; says whether it ran. */
    public boolean run(Path file, Work work) throws IOException {
        String key = key(file);
        String me = UUID.randomUUID().toString();
        if (!leases.take(key, me, hold.toMillis())) {
            return false;
        }
        try {
            if (!through(file)) {
                work.run(file);
                return finished.add(key);
            }
            return false;
        } finally {
            leases.release(key, me);
        }
    }

    //: else
    /** Does the work under a lease. False when another run has the lease, or the file is through already. */
    public boolean run(Path file, Work work) throws IOException {
        String key = key(file);
        String holder = UUID.randomUUID().toString();
        boolean mine = leases.take(key, holder, hold.toMillis());
        if (!mine) {
            return false;
        }
        try {
            if (finished.contains(key)) {
                return false;
            }
            work.run(file);
            return finished.add(key);
        } finally {
            leases.release(key, holder);
        }
    }

    //: end

    /** Whether this stage is through with a file. */
    public boolean through(Path file) {
        return finished.contains(key(file));
    }

    private String key(Path file) {
        return name + ":" + file.getFileName();
    }
}
