// Reads measurements of _labels_: moment, _measureColumn_ and _column_, with tabs between.
public class _Type_Extract {
	//: call .choose "cut" "4_000" "20_000" "64_000"
	//: call .redraw 1
	private static final int LINES = _cut_;

	private int skipped;

	//: .shuffled

	//: if call .coin
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
	}

	//: else
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
	}

	//: end
	//: call .redraw 3

	// file reads a whole file, nothing when it is not there.
	public Series file(Path source) throws IOException {
		try {
			return read(Files.readAllLines(source));
		} catch (NoSuchFileException absent) {
			return new Series();
		}
	}

	public int skipped() {
		return skipped;
	}

	// isMeasurement says whether a line could be read.
	public static boolean isMeasurement(String line) {
		try {
			String[] parts = line.split("\t");
			return parts.length == 3 && Long.parseLong(parts[0]) >= 0 && Double.isFinite(Double.parseDouble(parts[1]));
		} catch (NumberFormatException odd) {
			return false;
		}
	}
}
