package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// diff compares an entity's lines of two runs.
func (b *batch) diff(e grow.Entity) string {
	put := func(s string) string { return b.fill(s, e, "$tolerance", b.one("0L", "1L", "50L")) }
	return b.body(put("/** What changed among $things from one run to the next. */\npublic final class $ItemDiff"), put(`
    private static final long TOLERANCE_CENTS = $tolerance;

    private final Map<String, Long> before = new TreeMap<>();
    private final Map<String, Long> after = new TreeMap<>();`), []string{put(`
    public $ItemDiff(List<$ItemFeed.Line> old, List<$ItemFeed.Line> fresh) {
        for ($ItemFeed.Line line : old) {
            before.merge(line.$who(), line.$amount(), Math::addExact);
        }
        for ($ItemFeed.Line line : fresh) {
            after.merge(line.$who(), line.$amount(), Math::addExact);
        }
    }`)}, put(b.one(`
    /** The names that are new. */
    public List<String> added() {
        List<String> names = new ArrayList<>(after.keySet());
        names.removeAll(before.keySet());
        return names;
    }`, `
    /** The names that only the later run has, in alphabetical order. */
    public List<String> added() {
        List<String> names = new ArrayList<>();
        for (String name : after.keySet()) {
            if (name != null && !before.containsKey(name)) {
                names.add(name);
            }
        }
        return names;
    }`)), put(`
    /** The names that are gone. */
    public List<String> removed() {
        List<String> names = new ArrayList<>(before.keySet());
        names.removeAll(after.keySet());
        return names;
    }`), put(`
    /** By how many cents a name changed; one that is missing counts as 0. Throws ArithmeticException when that does not fit. */
    public long change(String name) {
        long was = before.getOrDefault(name, 0L);
        long is = after.getOrDefault(name, 0L);
        return Math.subtractExact(is, was);
    }`), put(`
    /** One line for each of the names that changed by more than the tolerance. */
    public List<String> report(List<String> names) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            long change = change(names.get(i));
            if (Math.abs(change) > TOLERANCE_CENTS) {
                lines.add(names.get(i) + " " + change);
            }
        }
        return lines;
    }`))
}

// messages tells subscribers about an entity's events.
func (r *relay) messages(e grow.Entity) string {
	text, _ := first(e, grow.Text)
	put := func(s string) string {
		return r.fill(s, e, "$batch", r.one("10", "25", "40"), "$pause", r.one("50", "200", "750"), "$by", text.Name)
	}
	return r.body(put("/** Tells subscribers about $words events, several in one message. */\npublic final class $KindMessages"), put(`
  private static final int BATCH = $batch;
  private static final int PAUSE_MILLIS = $pause;
  private static final int ROOM = 100 * BATCH;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Event> unsent = new ArrayDeque<>();
  private final ConcurrentMap<String, AtomicInteger> failed = new ConcurrentHashMap<>();`), nil, put(`
  /** Keeps an event for the next message. Where nobody asks for messages the oldest makes room. */
  public void keep(Event event) {
    if (!event.kind().startsWith("$kind")) {
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
  }`), put(`
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
  }`), put(r.one(`
  /** Notes that a subscriber could not be told, and answers how often that happened. */
  public int missed(String subscriber) {
    return failed.computeIfAbsent(subscriber, s -> new AtomicInteger()).incrementAndGet();
  }`, `
  /** Counts a failure of a subscriber. */
  public int missed(String subscriber) {
    var counter = failed.computeIfAbsent(subscriber, s -> new AtomicInteger());
    return counter.incrementAndGet();
  }`)), put(`
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
  }`), put(`
  /** What leads the sums of a plugin, empty while there are none. */
  public String leader($KindPlugin plugin) {
    var ranking = plugin.ranking();
    return ranking.isEmpty() ? "" : ranking.get(0).$by();
  }`), put(`
  /** Waits a little between two messages; false when interrupted. */
  public boolean breathe() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return false;
    }
  }`))
}

// plot draws an entity's measurements.
func (g *gauge) plot(e grow.Entity) string {
	put := func(s string) string {
		return g.fill(s, e, "$rows", fmt.Sprint(6+2*g.Rand.IntN(6)), "$mark", g.one("*", "o", "x"))
	}
	return g.body(put("// Draws $words as text: one column a point, the greatest $measure at the top.\npublic class $ThingPlot"), put(`
	private static final int ROWS = $rows;
	private static final char MARK = '$mark';

	private final List<Series.Point> columns = new ArrayList<>();
	private double highest = 1;`), []string{put(`
	public $ThingPlot(Series series) {
		for (Series.Point point : series.points()) {
			if (!Double.isFinite(point.value()) || point.value() < 0) {
				continue;
			}
			columns.add(point);
			highest = Math.max(highest, point.value());
		}
	}`)}, put(`
	// lines answers the drawing from top to bottom.
	public List<String> lines() {
		List<String> lines = new ArrayList<>();
		for (int row = ROWS - 1; row >= 0; row--) {
			lines.add(line(row));
		}
		return lines;
	}`), put(`
	private String line(int row) {
		StringBuilder line = new StringBuilder();
		for (int at = 0; at < columns.size(); at++) {
			line.append(height(columns.get(at)) > row ? MARK : ' ');
		}
		return line.toString().stripTrailing();
	}`), put(g.one(`
	// height is how many rows a point fills.
	int height(Series.Point point) {
		return (int) Math.round(point.value() / highest * ROWS);
	}`, `
	// height turns a value into rows, at least one for what is above nothing.
	int height(Series.Point point) {
		int rows = (int) Math.round(ROWS * point.value() / highest);
		return rows == 0 && point.value() > 0 ? 1 : rows;
	}`)), put(`
	// filled is the share of the drawing that is covered.
	public double filled() {
		int covered = 0;
		for (Series.Point point : columns) {
			covered += height(point);
		}
		int cells = ROWS * columns.size();
		return cells == 0 ? 0 : (double) covered / cells;
	}`), put(`
	// print writes the drawing with a line below it.
	public void print(PrintStream sink) {
		for (String line : lines()) {
			sink.println(line);
		}
		sink.println("-".repeat(columns.size()));
	}`))
}
