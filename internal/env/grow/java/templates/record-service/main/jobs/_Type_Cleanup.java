/** Refreshes the _table_ that users keep asking for. */
public final class _Type_Cleanup implements Runnable {
    private static final Logger LOG = Logger.getLogger(_Type_Cleanup.class.getName());
    //: if .first.time
    //: call .choose "grace" "1" "6" "12" "24"
    private static final Duration GRACE = Duration.ofHours(_grace_);
    //: end
    //: call .choose "batch" "20" "50" "80"
    private static final int BATCH = _batch_;

    private final _Type_Cache cache;
    private final Clock clock;
    private final Set<Long> wanted = new LinkedHashSet<>();

    public _Type_Cleanup(_Type_Cache cache, Clock clock) {
        this.cache = cache;
        this.clock = clock;
    }

    //: .shuffled

    /** Asks for a record to be looked at in the next round. */
    public synchronized void want(long id) {
        wanted.add(id);
    }

    private synchronized List<Long> take() {
        List<Long> ids = new ArrayList<>(wanted);
        List<Long> batch = List.copyOf(ids.subList(0, Math.min(BATCH, ids.size())));
        batch.forEach(wanted::remove);
        return batch;
    }

    /** One round; a record that is gone is left out. */
    @Override
    public void run() {
        Instant start = clock.instant();
        int done = 0;
        for (long id : take()) {
            try {
                cache.get(id);
                done++;
            } catch (NoSuchElementException e) {
                LOG.fine(() -> "_label_ " + id + " is gone");
            }
        }
        LOG.log(Level.INFO, "looked at {0} _table_ since {1}", new Object[] {done, start});
    }

    //: with .first.time
    /** Whether a record's time is over by more than the grace period. */
    public boolean over(_Type_ _var_) {
        return _var_._field_() != null && _var_._field_().plus(GRACE).isBefore(clock.instant());
    }
    //: end
}
