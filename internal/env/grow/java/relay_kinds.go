package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// codec reads and writes the events of one kind as lines.
func (r *relay) codec(e grow.Entity) string {
	put := func(s string) string {
		names := each(e.Fields, ", ", func(_ int, f grow.Field) string { return fmt.Sprintf("%q", f.Name) })
		return r.fill(s, e, "$names", names, "$mark", r.one(";", "|", "&"))
	}
	return r.body(put("/** $Kind events as lines: name=value pairs with a $mark between them, percent signs for what is special. */\npublic final class $KindCodec"), put(`
  /** Names that may occur. */
  public static final Set<String> NAMES = Set.of($names);

  private static final int LONGEST = 8_000;`), []string{put(`
  private $KindCodec() {}`)}, put(`
  /** The values of a line; unknown names are passed over. IllegalArgumentException for what is no such line. */
  public static Map<String, String> decode(String line) {
    if (line.length() > LONGEST) {
      throw new IllegalArgumentException("line too long");
    }
    var values = new LinkedHashMap<String, String>();
    for (var pair : line.split(Pattern.quote("$mark"))) {
      int sign = pair.indexOf('=');
      if (sign < 1) {
        throw new IllegalArgumentException("no value in " + pair);
      }
      if (!NAMES.contains(pair.substring(0, sign))) {
        continue;
      }
      values.put(pair.substring(0, sign), plain(pair.substring(sign + 1)));
    }
    return values;
  }`), put(`
  /** The line of some values, names in the order of the map. */
  public static String encode(Map<String, String> values) {
    var line = new StringJoiner("$mark");
    values.forEach((name, value) -> line.add(name + "=" + value.replace("%", "%25").replace("$mark", "%XX")));
    return line.toString();
  }`), put(`
  private static String plain(String value) {
    return value.replace("%XX", "$mark").replace("%25", "%");
  }`), r.maybe(60, put(`
  /** Decodes many lines; the broken ones are left out and counted. */
  public static int decodeAll(List<String> lines, List<Map<String, String>> into) {
    int broken = 0;
    for (var line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      try {
        into.add(decode(line));
      } catch (IllegalArgumentException malformed) {
        broken++;
      }
    }
    return broken;
  }`)))
}

// screen says which events of a kind are worth a look.
func (r *relay) screen(e grow.Entity) string {
	var tests string
	for _, f := range e.Fields {
		switch f.Kind {
		case grow.Cents, grow.Count:
			tests += fmt.Sprintf("\n    if (event.number(%q, 0) < 0) {\n      complaints.add(%q);\n    }", f.Name, words(f.Name)+" is negative")
		case grow.Text:
			tests += fmt.Sprintf("\n    if (event.text(%q).length() > LONGEST_TEXT) {\n      complaints.add(%q);\n    }", f.Name, words(f.Name)+" is too long")
		case grow.Email:
			tests += fmt.Sprintf("\n    if (!event.text(%q).contains(\"@\")) {\n      complaints.add(%q);\n    }", f.Name, words(f.Name)+" is no address")
		case grow.State:
			tests += fmt.Sprintf("\n    if (!Set.of(%s).contains(event.text(%q))) {\n      complaints.add(%q);\n    }", quoted(f.Words), f.Name, words(f.Name)+" is unknown")
		}
	}
	put := func(s string) string {
		return r.fill(s, e, "$tests", tests, "$long", r.one("80", "160", "300"), "$old", r.one("2", "7", "30"))
	}
	return r.body(put("/** Finds what is odd about $words events before plugins see them. */\npublic final class $KindScreen"), put(`
  private static final int LONGEST_TEXT = $long;
  private static final long OLDEST_MILLIS = $old * 86_400_000L;`), nil, put(`
  /** What is odd about an event, nothing for a good one. */
  public List<String> complaints(Event event) {
    var complaints = new ArrayList<String>();$tests
    return complaints;
  }`), put(`
  /** The events without complaints that are not too old, in their order. */
  public List<Event> good(List<Event> events, long nowMillis) {
    var good = new ArrayList<Event>();
    for (var event : events) {
      if (nowMillis - event.atMillis() > OLDEST_MILLIS) {
        continue;
      }
      if (complaints(event).isEmpty()) {
        good.add(event);
      }
    }
    return good;
  }`), put(`
  /** Which share of the events has nothing odd, 1 when there are none. */
  public double goodShare(List<Event> events) {
    int good = 0;
    for (int i = 0; i < events.size(); i++) {
      if (complaints(events.get(i)).isEmpty()) {
        good++;
      }
    }
    return events.isEmpty() ? 1 : (double) good / events.size();
  }`))
}

// window counts the events of a kind over the last while.
func (r *relay) window(e grow.Entity) string {
	put := func(s string) string {
		return r.fill(s, e, "$slots", r.one("24", "30", "60"), "$seconds", r.one("10", "60", "300"))
	}
	return r.body(put("/** How many $words events came lately, slot by slot. */\npublic final class $KindWindow"), put(`
  private static final int SLOTS = $slots;
  private static final int SLOT_SECONDS = $seconds;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<Long, Integer> counts = new TreeMap<>();`), nil, put(`
  /** Counts an event in the slot of its moment. */
  public void count(Event event) {
    long slot = event.atMillis() / Duration.ofSeconds(SLOT_SECONDS).toMillis();
    lock.lock();
    try {
      counts.merge(slot, 1, Integer::sum);
      if (counts.size() > SLOTS) {
        counts.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }`), put(`
  /** The counts of the slots that saw something, the earliest in front. */
  public List<Integer> slots() {
    lock.lock();
    try {
      return new ArrayList<>(counts.values());
    } finally {
      lock.unlock();
    }
  }`), put(r.one(`
  /** Events a slot on average, 0 before the first one. */
  public double average() {
    int sum = 0;
    var slots = slots();
    for (int i = slots.size() - 1; i >= 0; i--) {
      sum += slots.get(i);
    }
    return slots.isEmpty() ? 0 : (double) sum / slots.size();
  }`, `
  /** The mean count of the slots that saw something. */
  public double average() {
    lock.lock();
    try {
      int sum = counts.values().stream().mapToInt(Integer::intValue).sum();
      return counts.isEmpty() ? 0 : (double) sum / counts.size();
    } finally {
      lock.unlock();
    }
  }`)), put(`
  /** The slots ordered by what they saw. */
  public List<Map.Entry<Long, Integer>> busiest() {
    lock.lock();
    try {
      var entries = new ArrayList<Map.Entry<Long, Integer>>();
      counts.forEach((slot, count) -> entries.add(Map.entry(slot, count)));
      entries.sort((a, b) -> Integer.compare(b.getValue(), a.getValue()));
      return entries;
    } finally {
      lock.unlock();
    }
  }`))
}
