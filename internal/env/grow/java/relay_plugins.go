package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// measure is the field that a plugin adds up, "amount" for kinds without numbers.
func measure(e grow.Entity) string {
	if f, ok := first(e, grow.Cents, grow.Count); ok {
		return f.Name
	}
	return "amount"
}

// plugin takes the events of one kind.
func (r *relay) plugin(e grow.Entity) string {
	text, _ := first(e, grow.Text)
	pairs := []string{"$measure", measure(e), "$amount", camel(measure(e)), "$by", text.Name, "$By", pascal(text.Name)}
	put := func(s string) string { return r.fill(s, e, pairs...) }
	return r.body(put("/** Adds up what $words events report. */\npublic final class $KindPlugin implements Dispatcher.Plugin"), put(r.one(`
  /** One sum. */
  public record Sum(String $by, long $amount) {
  }

  private final ReentrantLock guard = new ReentrantLock();
  private final Map<String, Long> sums = new HashMap<>();
  private long events;
  private long accepted;`, `
  /** The sum of one $by. */
  public record Sum(String $by, long $amount) {
  }

  private final Map<String, Long> sums = new HashMap<>();
  private final ReentrantLock guard = new ReentrantLock();
  private long accepted;
  private long events;`)), []string{put(`
  @Override
  public boolean accepts(Event event) {
    return event.kind().equals("$kind") || event.kind().startsWith("$kind.");
  }`), put(`
  @Override
  public void take(Event event) {
    long $amount = event.number("$measure", 0);
    guard.lock();
    try {
      events++;
      if ($amount > 0) {
        accepted++;
        sums.merge(event.text("$by"), $amount, Math::addExact);
      }
    } finally {
      guard.unlock();
    }
  }`)}, put(`
  /** The share of events that reported something, between 0 and 1. */
  public double usefulShare() {
    guard.lock();
    try {
      return events == 0 ? 0 : (double) accepted / events;
    } finally {
      guard.unlock();
    }
  }`), put(`
  /** What was reported under one $by so far. */
  public long sumOf(String $by) {
    guard.lock();
    try {
      return sums.getOrDefault($by, 0L);
    } finally {
      guard.unlock();
    }
  }`), put(`
  /** All sums, the largest first. */
  public List<Sum> ranking() {
    var all = new ArrayList<Sum>();
    guard.lock();
    try {
      sums.forEach((name, sum) -> all.add(new Sum(name, sum)));
    } finally {
      guard.unlock();
    }
    all.sort((a, b) -> Long.compare(b.$amount(), a.$amount()));
    return all;
  }`), r.maybe(60, put(`
  /** The sums that reach a floor, the smallest first. */
  public List<Sum> atLeast(long floor) {
    var chosen = new ArrayList<Sum>();
    guard.lock();
    try {
      for (var entry : sums.entrySet()) {
        if (entry.getValue() < floor) {
          continue;
        }
        chosen.add(new Sum(entry.getKey(), entry.getValue()));
      }
    } finally {
      guard.unlock();
    }
    chosen.sort((x, y) -> Long.compare(x.$amount(), y.$amount()));
    return chosen;
  }`)))
}

func (r *relay) pluginTest(e grow.Entity) string {
	text, _ := first(e, grow.Text)
	put := func(s string) string {
		return r.fill(s, e, "$measure", measure(e), "$by", text.Name, "$n", fmt.Sprint(2+r.Rand.IntN(90)))
	}
	return r.body(put("class $KindPluginTest"), put("  private final $KindPlugin plugin = new $KindPlugin();"), nil, put(`
  @Test
  void addsUp() {
    plugin.take(new Event(1, "a", "$kind", 0, Map.of("$by", "x", "$measure", "$n")));
    assertEquals($nL, plugin.sumOf("x"));
  }`), put(`
  @Test
  void leavesOtherKindsAlone() {
    assertFalse(plugin.accepts(new Event(1, "a", "other", 0, Map.of())));
  }`), put(`
  @Test
  void nothingReportedIsNoShare() {
    assertEquals(0.0, plugin.usefulShare());
  }`))
}

// projection remembers the last state of each subject.
func (r *relay) projection(e grow.Entity) string {
	text, _ := first(e, grow.Text)
	room := r.one("2_000", "5_000", "20_000")
	put := func(s string) string {
		return r.fill(s, e, "$by", camel(text.Name), "$field", text.Name, "$room", room)
	}
	return r.body(put("/** The last event of each $words, for those that moved lately. */\npublic final class $KindProjection"), put(`
  private static final int ROOM = $room;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<String, Event> latest = new LinkedHashMap<>();
  private final ConcurrentMap<String, AtomicInteger> visits = new ConcurrentHashMap<>();`), nil, put(r.one(`
  /** Notes an event; one that is older than what is known changes nothing. */
  public void apply(Event event) {
    lock.writeLock().lock();
    try {
      var known = latest.get(event.text("$field"));
      if (known != null && known.seq() >= event.seq()) {
        return;
      }
      latest.remove(event.text("$field"));
      latest.put(event.text("$field"), event);
      if (latest.size() > ROOM) {
        latest.remove(latest.keySet().iterator().next());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }`, `
  /** Notes an event unless a newer one is known; the one untouched longest makes room. */
  public void apply(Event event) {
    String $by = event.text("$field");
    lock.writeLock().lock();
    try {
      var before = latest.remove($by);
      latest.put($by, before == null || before.seq() < event.seq() ? event : before);
      if (latest.size() > ROOM) {
        latest.remove(latest.keySet().iterator().next());
      }
    } finally {
      lock.writeLock().unlock();
    }
  }`)), put(`
  /** The last event of one $words. */
  public Optional<Event> of(String $by) {
    lock.readLock().lock();
    try {
      return Optional.ofNullable(latest.get($by));
    } finally {
      lock.readLock().unlock();
    }
  }`), put(`
  /** Everything known, the one touched last at the end. */
  public List<Event> all() {
    lock.readLock().lock();
    try {
      return new ArrayList<>(latest.values());
    } finally {
      lock.readLock().unlock();
    }
  }`), put(`
  /** Notes that somebody looked, and says how often that happened lately for this $words. */
  public int visited(String $by) {
    if (visits.size() > ROOM) {
      visits.clear();
    }
    return visits.computeIfAbsent($by, k -> new AtomicInteger()).incrementAndGet();
  }`), put(`
  /** Forgets who looked at $words. */
  public void forgetVisits() {
    visits.clear();
  }`))
}

// replay feeds remembered events to a plugin again.
func (r *relay) replay(e grow.Entity) string {
	put := func(s string) string { return r.fill(s, e) }
	return r.body(put("/** Gives a plugin again what the projection of $words remembers. */\npublic final class $KindReplay"), put(`
  private static final long DAY_MILLIS = 86_400_000L;

  private final $KindProjection projection;
  private final Inbox inbox;`), []string{put(`
  public $KindReplay($KindProjection projection, Inbox inbox) {
    this.projection = projection;
    this.inbox = inbox;
  }`)}, put(`
  /** All remembered events in order of their positions; the newest wins where a plugin keeps one. */
  public int into($KindPlugin plugin) {
    var events = projection.all();
    events.removeIf(event -> !plugin.accepts(event));
    events.sort(Comparator.comparingLong(Event::seq));
    for (int i = 0; i < events.size(); i++) {
      plugin.take(events.get(i));
    }
    return events.size();
  }`), put(`
  /** The remembered events backwards, the last one first. */
  public List<Event> backwards() {
    var events = projection.all();
    var reversed = new ArrayList<Event>(events.size());
    for (int i = events.size() - 1; i >= 0; i--) {
      reversed.add(events.get(i));
    }
    return reversed;
  }`), put(r.one(`
  /** How many waiting events fall on each day, from the first moment on. */
  public List<Integer> perDay(long firstMillis, int days) {
    var counts = new ArrayList<Integer>();
    long dawn = firstMillis;
    while (counts.size() < days) {
      long dusk = dawn + DAY_MILLIS;
      counts.add(inbox.between(dawn, dusk).size());
      dawn = dusk;
    }
    return counts;
  }`, `
  /** The day with the most waiting events, counted from the first moment; -1 when nothing waits. */
  public int busiestDay(long firstMillis, int days) {
    int best = -1;
    int most = 0;
    long begin = firstMillis;
    for (int day = 0; day < days; day++) {
      long end = begin + DAY_MILLIS;
      int count = inbox.between(begin, end).size();
      if (count > most) {
        most = count;
        best = day;
      }
      begin = end;
    }
    return best;
  }`)), put(`
  /** Milliseconds that the longest-waiting event has waited by now, 0 when none waits. */
  public long backlogMillis(long nowMillis) {
    var waiting = inbox.byTime();
    return waiting.isEmpty() ? 0 : nowMillis - waiting.get(0).atMillis();
  }`))
}
