// Output in columns.
public class Console {
	private final PrintStream sink;
	private final Deque<String> pending = new ArrayDeque<>();

	public Console(PrintStream sink) {
		this.sink = sink;
	}

	//: .shuffled

	public void row(Object... cells) {
		StringBuilder text = new StringBuilder();
		for (Object cell : cells) {
			text.append(String.format("%-16s", plain(String.valueOf(cell))));
		}
		pending.addLast(text.toString().stripTrailing());
	}

	// flush prints what waits; a row stays until it was printed.
	public int flush() {
		int printed = 0;
		for (String text : List.copyOf(pending)) {
			sink.println(text);
			pending.removeFirst();
			printed++;
		}
		return printed;
	}

	// plain leaves out what a terminal would take for a command.
	static String plain(String text) {
		StringBuilder kept = new StringBuilder();
		for (char c : text.toCharArray()) {
			if (Character.isISOControl(c)) {
				continue;
			}
			kept.append(c);
		}
		return kept.toString();
	}

	// bar draws a share between 0 and 1.
	public String bar(double share) {
		int width = (int) Math.round(20 * Math.min(1, Math.max(0, share)));
		return "#".repeat(width) + ".".repeat(20 - width);
	}
}
