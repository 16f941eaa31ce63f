/** The last event of each _label_, for those that moved lately. */
public final class _Type_Projection {
  //: call .choose "room" "2_000" "5_000" "20_000"
  private static final int ROOM = _room_;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<String, Event> latest = new LinkedHashMap<>();
  private final ConcurrentMap<String, AtomicInteger> visits = new ConcurrentHashMap<>();

  //: .shuffled

  //: if call .coin
  /** Notes an event; one that is older than what is known changes nothing. */
  public void apply(Event event) {
    lock.writeLock().lock();
    try {
      var known = latest.get(event.text("_column_"));
      if (known != null && known.seq() >= event.seq()) {
        return;
      }
      latest.remove(event.text("_column_"));
      latest.put(event.text("_column_"), event);
      if (latest.size() > ROOM) {
        latest.remove(latest.keySet().iterator().next());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  //: else
  /** Notes an event unless a newer one is known; the one untouched longest makes room. */
  public void apply(Event event) {
    String _text_ = event.text("_column_");
    lock.writeLock().lock();
    try {
      var before = latest.remove(_text_);
      latest.put(_text_, before == null || before.seq() < event.seq() ? event : before);
      if (latest.size() > ROOM) {
        latest.remove(latest.keySet().iterator().next());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  //: end

  /** The last event of one _label_. */
  public Optional<Event> of(String _text_) {
    lock.readLock().lock();
    try {
      return Optional.ofNullable(latest.get(_text_));
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Everything known, the one touched last at the end. */
  public List<Event> all() {
    lock.readLock().lock();
    try {
      return new ArrayList<>(latest.values());
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Notes that somebody looked, and says how often that happened lately for this _label_. */
  public int visited(String _text_) {
    if (visits.size() > ROOM) {
      visits.clear();
    }
    return visits.computeIfAbsent(_text_, k -> new AtomicInteger()).incrementAndGet();
  }

  /** Forgets who looked at _label_. */
  public void forgetVisits() {
    visits.clear();
  }
}
