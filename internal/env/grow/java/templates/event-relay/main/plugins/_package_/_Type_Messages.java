/** Tells subscribers about _label_ events, several in one message. */
public final class _Type_Messages {
  //: call .choose "batch" "10" "25" "40"
  //: call .choose "pause" "50" "200" "750"
  //: call .redraw 1
  private static final int BATCH = _batch_;
  private static final int PAUSE_MILLIS = _pause_;
  //: call .redraw 2
  private static final int ROOM = 100 * BATCH;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Event> unsent = new ArrayDeque<>();
  private final ConcurrentMap<String, AtomicInteger> failed = new ConcurrentHashMap<>();

  //: .shuffled

  /** Keeps an event for the next message. Where nobody asks for messages the oldest makes room. */
  public void keep(Event event) {
    if (!event.kind().startsWith("_key_")) {
      throw new IllegalArgumentException("not for these messages: " + event.kind());
    }
    lock.lock();
    try {
      unsent.addLast(event);
      if (unsent.size() > ROOM) {
        unsent.removeFirst();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes up to BATCH events out and makes one text of them, a line each. */
  public String next() {
    var text = new StringJoiner("\n");
    lock.lock();
    try {
      for (int n = 0; n < BATCH && !unsent.isEmpty(); n++) {
        var event = unsent.removeFirst();
        text.add(event.seq() + " " + event.key());
      }
    } finally {
      lock.unlock();
    }
    return text.toString();
  }

  //: if call .coin
  /** Notes that a subscriber could not be told, and answers how often that happened. */
  public int missed(String subscriber) {
    return failed.computeIfAbsent(subscriber, s -> new AtomicInteger()).incrementAndGet();
  }

  //: else
  /** Counts a failure of a subscriber. */
  public int missed(String subscriber) {
    var counter = failed.computeIfAbsent(subscriber, s -> new AtomicInteger());
    return counter.incrementAndGet();
  }

  //: end
  //: call .redraw 4

  /** Those subscribers that failed more often than patience allows. */
  public List<String> unreachable(int patience) {
    var names = new ArrayList<String>();
    for (var entry : failed.entrySet()) {
      if (entry.getValue().get() <= patience) {
        continue;
      }
      names.add(entry.getKey());
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  /** What leads the sums of a plugin, empty while there are none. */
  public String leader(_Type_Plugin plugin) {
    var ranking = plugin.ranking();
    return ranking.isEmpty() ? "" : ranking.get(0)._column_();
  }

  /** Waits a little between two messages; false when interrupted. */
  public boolean breathe() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
