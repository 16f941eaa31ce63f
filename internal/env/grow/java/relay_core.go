package java

func (r *relay) event() string {
	return `/**
 * Something that happened.
 *
 * @param seq      position in the inbox, rising, never used twice
 * @param key      idempotency key chosen by the sender
 * @param kind     which plugins it is for
 * @param atMillis when it happened, in milliseconds since 1970
 * @param data     names and values, as the sender wrote them
 */
public record Event(long seq, String key, String kind, long atMillis, Map<String, String> data) implements Serializable {
  public Event {
    data = Map.copyOf(data);
  }

  /** A value of the event as a whole number; the fallback stands in for a missing one. */
  public long number(String field, long fallback) {
    var raw = data.get(field);
    return raw == null ? fallback : Long.parseLong(raw);
  }

  /** A value of the event as text, empty when missing. */
  public String text(String field) {
    return data.getOrDefault(field, "");
  }
}
`
}

// inbox is the queue.
func (r *relay) inbox() string {
	remembered := r.one("4096", "8192", "10_000")
	return r.body("/** The events that were not taken yet. All methods may be called from any thread. */\npublic final class Inbox", fill(`
  private static final int REMEMBERED = $remembered;

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
  private long nextSeq = 1;`, "$remembered", remembered), nil, `
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
  }`, `
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
  }`, `
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
  }`, `
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
  }`, `
  /** How long the one in front has waited, in milliseconds. */
  public long longestWait(long nowMillis) {
    lock.lock();
    try {
      return waiting.isEmpty() ? -1 : Math.max(0, nowMillis - waiting.get(0).atMillis());
    } finally {
      lock.unlock();
    }
  }`, `
  /** Takes an event out for good. */
  public void acknowledge(Event event) {
    lock.lock();
    try {
      waiting.removeIf(w -> w.seq() == event.seq());
      perKind.computeIfAbsent(event.kind(), k -> new LongAdder()).increment();
    } finally {
      lock.unlock();
    }
  }`, `
  /** How many events of a kind were taken since the start. */
  public long taken(String kind) {
    var adder = perKind.get(kind);
    return adder == null ? 0 : adder.sum();
  }`)
}

// dispatcher hands events on.
func (r *relay) dispatcher() string {
	return r.body("/** Hands events to plugins until it is interrupted. An event is acknowledged once every plugin took it. */\npublic final class Dispatcher implements Runnable", `
  /** What takes events. */
  public interface Plugin {
    boolean accepts(Event event);

    void take(Event event) throws IOException;
  }

  private static final Logger LOG = Logger.getLogger("relay.dispatcher");

  private final Inbox inbox;
  private final List<Plugin> plugins;
  private final ConcurrentMap<Long, Integer> failures = new ConcurrentHashMap<>();
  private final Consumer<Event> deadEnd;
  private final int patience;`, []string{`
  /** The dead end gets what failed as often as patience says. */
  public Dispatcher(Inbox inbox, List<Plugin> plugins, Consumer<Event> deadEnd, int patience) {
    this.inbox = inbox;
    this.plugins = List.copyOf(plugins);
    this.deadEnd = deadEnd;
    this.patience = patience;
  }`}, r.one(`
  @Override
  public void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        round(inbox.await());
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      LOG.info("dispatcher stops");
    }
  }`, `
  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        round(inbox.await());
        Thread.sleep(25);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }
  }`), `
  /** Offers each event to all plugins; a failing one is tried again in a later round. */
  void round(List<Event> events) {
    events.sort(Comparator.comparing(Event::kind));
    for (var event : events) {
      if (failures.getOrDefault(event.seq(), 0) >= patience) {
        LOG.warning(() -> "giving up on event " + event.seq());
        deadEnd.accept(event);
        inbox.acknowledge(event);
        failures.remove(event.seq());
        continue;
      }
      deliver(event);
    }
  }`, `
  private void deliver(Event event) {
    try {
      offerToPlugins(event);
      inbox.acknowledge(event);
      failures.remove(event.seq());
    } catch (IOException | RuntimeException failure) {
      LOG.log(Level.WARNING, "event " + event.seq() + " failed", failure);
      failures.merge(event.seq(), 1, Integer::sum);
    }
  }`, `
  private void offerToPlugins(Event event) throws IOException {
    for (var plugin : plugins) {
      if (!plugin.accepts(event)) {
        continue;
      }
      plugin.take(event);
    }
  }`, `
  /** Whether there is nothing to do. */
  public boolean idle(long nowMillis) {
    return inbox.longestWait(nowMillis) < 0;
  }`, `
  /** When the oldest waiting event happened, if one waits. */
  public OptionalLong oldest() {
    var events = inbox.byTime();
    return events.isEmpty() ? OptionalLong.empty() : OptionalLong.of(events.get(0).atMillis());
  }`, `
  /** How many events happened in each of the windows that follow one another, the first beginning at startMillis. */
  public List<Integer> histogram(long startMillis, long widthMillis, int windows) {
    var counts = new ArrayList<Integer>();
    long from = startMillis;
    for (int w = 0; w < windows; w++) {
      long until = from + widthMillis;
      counts.add(inbox.between(from, until).size());
      from = until;
    }
    return counts;
  }`)
}

func (r *relay) inboxTest() string {
	return r.body("class InboxTest", "  private final Inbox inbox = new Inbox();", nil, `
  @Test
  void sameKeyIsQueuedOnce() {
    long one = inbox.offer("k", "ping", 10, Map.of());
    assertEquals(one, inbox.offer("k", "ping", 11, Map.of()));
  }`, `
  @Test
  void untilIsExclusive() {
    inbox.offer("a", "ping", 10, Map.of());
    inbox.offer("b", "ping", 20, Map.of());
    assertEquals(1, inbox.between(10, 20).size());
  }`, `
  @Test
  void acknowledgedEventsAreGone() {
    inbox.offer("a", "ping", 10, Map.of());
    inbox.acknowledge(inbox.byTime().get(0));
    assertTrue(inbox.byTime().isEmpty());
    assertEquals(1, inbox.taken("ping"));
  }`)
}
