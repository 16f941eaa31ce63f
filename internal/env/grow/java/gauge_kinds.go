package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// command is the command of an entity.
func (g *gauge) command(e grow.Entity) string {
	put := func(s string) string {
		return g.fill(s, e, "$step", g.one("60_000L", "300_000L", "3_600_000L"), "$top", g.one("5", "8", "10"))
	}
	return g.body(put("// The command that looks at $words.\npublic class $ThingCommand"), put(`
	private static final long STEP = $step;

	private final Series series;
	private final Map<String, Integer> options = new HashMap<>();`), []string{put(`
	public $ThingCommand(Series series) {
		this.series = series;
	}`), put(`
	// option sets a number from the command line.
	public $ThingCommand option(String name, int value) {
		options.put(name, value);
		return this;
	}`)}, put(`
	// peak answers the point with the greatest $measure, null when nothing was measured.
	public Series.Point peak() {
		List<Series.Point> ranked = series.largest();
		return ranked.isEmpty() ? null : ranked.get(0);
	}`), put(g.one(`
	// means answers the mean of each step from start on; steps without points are left out.
	public List<Double> means(long start, int steps) {
		List<Double> means = new ArrayList<>();
		long left = start;
		for (int step = 0; step < steps; step++) {
			long right = left + STEP;
			Series part = series.slice(left, right);
			left = right;
			if (!part.points().isEmpty()) {
				means.add(part.mean());
			}
		}
		return means;
	}`, `
	// counts answers how many points fall into each step, the first step beginning at start.
	public List<Integer> counts(long start, int steps) {
		List<Integer> counts = new ArrayList<>();
		long left = start;
		while (counts.size() < steps) {
			long right = left + STEP;
			counts.add(series.slice(left, right).points().size());
			left = right;
		}
		return counts;
	}`)), put(`
	// top answers the tags with the greatest values, as many as --top says.
	public List<String> top() {
		int wanted = options.getOrDefault("top", $top);
		List<String> tags = new ArrayList<>();
		for (Series.Point point : series.largest()) {
			if (tags.contains(point.tag())) {
				continue;
			}
			if (tags.size() < wanted) {
				tags.add(point.tag());
			}
		}
		return tags;
	}`), put(g.one(`
	// since drops what is older than a moment and answers what is left, in order of time.
	public List<Series.Point> since(long moment) {
		List<Series.Point> rest = series.points();
		rest.removeIf(point -> point.at() < moment);
		rest.sort((p, q) -> Long.compare(p.at(), q.at()));
		return rest;
	}`)), put(`
	// ordered answers all points by time.
	public List<Series.Point> ordered() {
		List<Series.Point> all = series.points();
		all.sort((p, q) -> Long.compare(p.at(), q.at()));
		return all;
	}`), put(`
	// knows says whether there is a measurement of a tag.
	public boolean knows(String tag) {
		return series.indexOf(tag) >= 0;
	}`))
}

func (g *gauge) commandTest(e grow.Entity) string {
	put := func(s string) string { return g.fill(s, e, "$value", fmt.Sprint(2+g.Rand.IntN(60))) }
	return g.body(put("class $ThingCommandTest"), put("\tprivate final Series series = new Series().add(10, 1, \"low\").add(20, $value, \"high\");"), nil, put(`
	@Test
	void findsThePeak() {
		assertEquals("high", new $ThingCommand(series).peak().tag());
	}`), put(`
	@Test
	void topHoldsToItsOption() {
		assertEquals(List.of("high"), new $ThingCommand(series).option("top", 1).top());
	}`), put(`
	@Test
	void knowsOnlyWhatWasMeasured() {
		assertFalse(new $ThingCommand(series).knows("none"));
	}`))
}

// extract reads an entity's measurements out of text.
func (g *gauge) extract(e grow.Entity) string {
	put := func(s string) string {
		return g.fill(s, e, "$cut", g.one("4_000", "20_000", "64_000"))
	}
	return g.body(put("// Reads measurements of $words: moment, $measure and $by, with tabs between.\npublic class $ThingExtract"), put(`
	private static final int LINES = $cut;

	private int skipped;`), nil, put(g.one(`
	// read takes the lines that are measurements; others are skipped and counted.
	public Series read(List<String> lines) {
		Series series = new Series();
		for (String line : lines.subList(0, Math.min(LINES, lines.size()))) {
			String[] parts = line.split("\t");
			if (parts.length != 3) {
				skipped++;
				continue;
			}
			try {
				series.add(Long.parseLong(parts[0]), Double.parseDouble(parts[1]), parts[2]);
			} catch (NumberFormatException odd) {
				skipped++;
			}
		}
		return series;
	}`, `
	// read makes a series of lines. What is no measurement counts as skipped.
	public Series read(List<String> lines) {
		Series series = new Series();
		int taken = 0;
		for (String line : lines) {
			if (line.startsWith("#") || taken >= LINES) {
				continue;
			}
			taken++;
			String[] parts = line.split("\t", 3);
			try {
				series.add(Long.parseLong(parts[0]), Double.parseDouble(parts[1]), parts[2]);
			} catch (NumberFormatException | IndexOutOfBoundsException odd) {
				skipped++;
			}
		}
		return series;
	}`)), put(`
	// file reads a whole file, nothing when it is not there.
	public Series file(Path source) throws IOException {
		try {
			return read(Files.readAllLines(source));
		} catch (NoSuchFileException absent) {
			return new Series();
		}
	}`), `
	public int skipped() {
		return skipped;
	}`, put(`
	// isMeasurement says whether a line could be read.
	public static boolean isMeasurement(String line) {
		try {
			String[] parts = line.split("\t");
			return parts.length == 3 && Long.parseLong(parts[0]) >= 0 && Double.isFinite(Double.parseDouble(parts[1]));
		} catch (NumberFormatException odd) {
			return false;
		}
	}`))
}

// brief sums an entity's measurements up.
func (g *gauge) brief(e grow.Entity) string {
	limit := g.one("0.5", "0.8", "0.95")
	put := func(s string) string { return g.fill(s, e, "$limit", limit) }
	return g.body(put("// A few numbers about $words, by $by.\npublic class $ThingBrief"), put(`
	private final Map<String, Long> totals = new TreeMap<>();
	private final Map<String, Integer> counts = new TreeMap<>();`), []string{put(`
	public $ThingBrief(Series series) {
		for (Series.Point point : series.points()) {
			totals.merge(point.tag(), Math.round(point.value()), Math::addExact);
			counts.merge(point.tag(), 1, Integer::sum);
		}
	}`)}, put(`
	// total is the rounded sum of one $by, 0 for one that was not measured.
	public long total(String $by) {
		return totals.getOrDefault($by, 0L);
	}`), put(`
	// part is what one $by has of all, between 0 and 1.
	public double part(String $by) {
		long all = 0;
		for (long each : totals.values()) {
			all += each;
		}
		return all == 0 ? 0 : (double) total($by) / all;
	}`), put(g.one(`
	// heavy answers those that make up more than $limit of all.
	public List<String> heavy() {
		List<String> found = new ArrayList<>();
		for (String $by : totals.keySet()) {
			if (part($by) <= $limit) {
				continue;
			}
			found.add($by);
		}
		return found;
	}`, `
	// busiest answers the names by how often they were measured.
	public List<String> busiest() {
		List<String> names = new ArrayList<>(counts.keySet());
		names.sort((x, y) -> Integer.compare(counts.get(y), counts.get(x)));
		return names;
	}`)), put(`
	// print writes a line for each name, the last in the alphabet first.
	public void print(PrintStream sink) {
		List<String> names = new ArrayList<>(totals.keySet());
		for (int at = names.size() - 1; at >= 0; at--) {
			sink.printf("%s %d%n", names.get(at), totals.get(names.get(at)));
		}
	}`))
}

// alarm watches an entity's measurements.
func (g *gauge) alarm(e grow.Entity) string {
	var more string
	for _, f := range e.Fields {
		if f.Kind == grow.State {
			more = fill(`
	// levels are what an alarm may say about $field.
	public static List<String> levels() {
		return List.of($all);
	}`, "$field", words(f.Name), "$all", quoted(f.Words))
		}
	}
	put := func(s string) string {
		return g.fill(s, e, "$keep", g.one("20", "50", "99"), "$quiet", g.one("60", "600", "900"))
	}
	return g.body(put("// Says when $words are out of bounds, and not more often than every so many seconds.\npublic class $ThingAlarm"), strings.TrimRight(put(`
	private static final int QUIET_SECONDS = $quiet;
	private static final int KEEP = $keep;

	private final ReentrantLock bell = new ReentrantLock();
	private final ArrayDeque<String> history = new ArrayDeque<>();
	private final double ceiling;
	private long lastMillis = Long.MIN_VALUE;`), "\n"), []string{put(`
	public $ThingAlarm(double ceiling) {
		this.ceiling = ceiling;
	}`)}, put(`
	// check says whether the bell rang for what came last.
	public boolean check(Series series, long nowMillis) {
		List<Series.Point> ranked = series.largest();
		if (ranked.isEmpty() || ranked.get(0).value() <= ceiling) {
			return false;
		}
		return ring(ranked.get(0).tag(), nowMillis);
	}`), put(`
	private boolean ring(String tag, long nowMillis) {
		bell.lock();
		try {
			if (lastMillis != Long.MIN_VALUE && nowMillis - lastMillis < Duration.ofSeconds(QUIET_SECONDS).toMillis()) {
				return false;
			}
			lastMillis = nowMillis;
			history.addLast(tag);
			if (history.size() > KEEP) {
				history.removeFirst();
			}
			return true;
		} finally {
			bell.unlock();
		}
	}`), put(`
	// first answers the moment of the earliest measurement, 0 when there is none.
	public static long first($ThingCommand command) {
		List<Series.Point> all = command.ordered();
		return all.isEmpty() ? 0 : all.get(0).at();
	}`), put(`
	// rung answers for which tags the bell rang, the last one in front.
	public List<String> rung() {
		bell.lock();
		try {
			List<String> tags = new ArrayList<>(history);
			Collections.reverse(tags);
			return tags;
		} finally {
			bell.unlock();
		}
	}`), more)
}
