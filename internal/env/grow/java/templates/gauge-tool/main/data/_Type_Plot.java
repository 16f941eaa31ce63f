// Draws _labels_ as text: one column a point, the greatest _measureColumn_ at the top.
public class _Type_Plot {
	//: call .choose "rows" "6" "8" "10" "12" "14" "16"
	//: call .choose "mark" "*" "o" "x"
	//: call .redraw 1
	private static final int ROWS = _rows_;
	private static final char MARK = '_mark_';

	//: call .redraw 3

	private final List<Series.Point> columns = new ArrayList<>();
	private double highest = 1;

	public _Type_Plot(Series series) {
		for (Series.Point point : series.points()) {
			if (!Double.isFinite(point.value()) || point.value() < 0) {
				continue;
			}
			columns.add(point);
			highest = Math.max(highest, point.value());
		}
	}

	//: .shuffled

	// lines answers the drawing from top to bottom.
	public List<String> lines() {
		List<String> lines = new ArrayList<>();
		for (int row = ROWS - 1; row >= 0; row--) {
			lines.add(line(row));
		}
		return lines;
	}

	private String line(int row) {
		StringBuilder line = new StringBuilder();
		for (int at = 0; at < columns.size(); at++) {
			line.append(height(columns.get(at)) > row ? MARK : ' ');
		}
		return line.toString().stripTrailing();
	}

	//: if call .coin
	// height is how many rows a point fills.
	int height(Series.Point point) {
		return (int) Math.round(point.value() / highest * ROWS);
	}

	//: else
	// height turns a value into rows, at least one for what is above nothing.
	int height(Series.Point point) {
		int rows = (int) Math.round(ROWS * point.value() / highest);
		return rows == 0 && point.value() > 0 ? 1 : rows;
	}

	//: end
	//: call .redraw 3

	// filled is the share of the drawing that is covered.
	public double filled() {
		int covered = 0;
		for (Series.Point point : columns) {
			covered += height(point);
		}
		int cells = ROWS * columns.size();
		return cells == 0 ? 0 : (double) covered / cells;
	}

	// print writes the drawing with a line below it.
	public void print(PrintStream sink) {
		for (String line : lines()) {
			sink.println(line);
		}
		sink.println("-".repeat(columns.size()));
	}
}
