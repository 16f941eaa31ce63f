/** The events that were not taken yet. All methods may be called from any thread. */
public final class Inbox {
  //: call .choose "remembered" "4096" "8192" "10_000"
  private static final int REMEMBERED = _remembered_;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final List<Event> waiting = new ArrayList<>();
  private final ConcurrentMap<String, LongAdder> perKind = new ConcurrentHashMap<>();
  private final Map<String, Long> recentKeys = new LinkedHashMap<>(64, 0.75f, false) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
      return size() > REMEMBERED;
    }
  };
  private long nextSeq = 1;

  //: .shuffled

  /** Queues an event and answers its position; one whose key came before keeps the old position and is not queued again. */
  public long offer(String key, String kind, long atMillis, Map<String, String> data) {
    lock.lock();
    try {
      Long known = recentKeys.get(key);
      if (known != null) {
        return known;
      }
      var event = new Event(nextSeq++, key, kind, atMillis, data);
      waiting.add(event);
      recentKeys.put(key, event.seq());
      arrived.signalAll();
      return event.seq();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there is an event, then answers those that wait, in order of arrival. */
  public List<Event> await() throws InterruptedException {
    lock.lock();
    try {
      while (waiting.isEmpty()) {
        arrived.await();
      }
      return new ArrayList<>(waiting);
    } finally {
      lock.unlock();
    }
  }

  /** Those that wait and happened between two moments. */
  public List<Event> between(long fromMillis, long untilMillis) {
    lock.lock();
    try {
      var found = new ArrayList<Event>();
      for (var event : waiting) {
        if (event.atMillis() >= fromMillis && event.atMillis() < untilMillis) {
          found.add(event);
        }
      }
      return found;
    } finally {
      lock.unlock();
    }
  }

  /** A copy of those that wait, ordered by when they happened. */
  public List<Event> byTime() {
    List<Event> copy = new ArrayList<>();
    lock.lock();
    try {
      copy.addAll(waiting);
    } finally {
      lock.unlock();
    }
    copy.sort(Comparator.comparingLong(Event::atMillis));
    return copy;
  }

  /** How long the one in front has waited, in milliseconds. */
  public long longestWait(long nowMillis) {
    lock.lock();
    try {
      return waiting.isEmpty() ? -1 : Math.max(0, nowMillis - waiting.get(0).atMillis());
    } finally {
      lock.unlock();
    }
  }

  /** Takes an event out for good. */
  public void acknowledge(Event event) {
    lock.lock();
    try {
      waiting.removeIf(w -> w.seq() == event.seq());
      perKind.computeIfAbsent(event.kind(), k -> new LongAdder()).increment();
    } finally {
      lock.unlock();
    }
  }

  /** How many events of a kind were taken since the start. */
  public long taken(String kind) {
    var adder = perKind.get(kind);
    return adder == null ? 0 : adder.sum();
  }
}
