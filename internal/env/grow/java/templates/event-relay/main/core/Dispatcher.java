/** Hands events to plugins until it is interrupted. An event is acknowledged once every plugin took it. */
public final class Dispatcher implements Runnable {
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
  private final int patience;

  /** The dead end gets what failed as often as patience says. */
  public Dispatcher(Inbox inbox, List<Plugin> plugins, Consumer<Event> deadEnd, int patience) {
    this.inbox = inbox;
    this.plugins = List.copyOf(plugins);
    this.deadEnd = deadEnd;
    this.patience = patience;
  }

  //: .shuffled

  //: if call .coin
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
  }

  //: else
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
  }

  //: end

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
  }

  private void deliver(Event event) {
    try {
      offerToPlugins(event);
      inbox.acknowledge(event);
      failures.remove(event.seq());
    } catch (IOException | RuntimeException failure) {
      LOG.log(Level.WARNING, "event " + event.seq() + " failed", failure);
      failures.merge(event.seq(), 1, Integer::sum);
    }
  }

  private void offerToPlugins(Event event) throws IOException {
    for (var plugin : plugins) {
      if (!plugin.accepts(event)) {
        continue;
      }
      plugin.take(event);
    }
  }

  /** Whether there is nothing to do. */
  public boolean idle(long nowMillis) {
    return inbox.longestWait(nowMillis) < 0;
  }

  /** When the oldest waiting event happened, if one waits. */
  public OptionalLong oldest() {
    var events = inbox.byTime();
    return events.isEmpty() ? OptionalLong.empty() : OptionalLong.of(events.get(0).atMillis());
  }

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
  }
}
