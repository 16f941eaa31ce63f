// Says when _labels_ are out of bounds, and not more often than every so many seconds.
public class _Type_Alarm {
	//: call .choose "keep" "20" "50" "99"
	//: call .choose "quiet" "60" "600" "900"
	//: call .redraw 1
	private static final int QUIET_SECONDS = _quiet_;
	private static final int KEEP = _keep_;

	//: call .redraw 5

	private final ReentrantLock bell = new ReentrantLock();
	private final ArrayDeque<String> history = new ArrayDeque<>();
	private final double ceiling;
	private long lastMillis = Long.MIN_VALUE;

	public _Type_Alarm(double ceiling) {
		this.ceiling = ceiling;
	}

	//: .shuffled

	// check says whether the bell rang for what came last.
	public boolean check(Series series, long nowMillis) {
		List<Series.Point> ranked = series.largest();
		if (ranked.isEmpty() || ranked.get(0).value() <= ceiling) {
			return false;
		}
		return ring(ranked.get(0).tag(), nowMillis);
	}

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
	}

	// first answers the moment of the earliest measurement, 0 when there is none.
	public static long first(_Type_Command command) {
		List<Series.Point> all = command.ordered();
		return all.isEmpty() ? 0 : all.get(0).at();
	}

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
	}

	//: with .first.state
	// levels are what an alarm may say about _fieldLabel_.
	public static List<String> levels() {
		return List.of(_quotedWords_);
	}
	//: end
}
