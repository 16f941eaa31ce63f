// Series on disk, a file each, for the next run.
public class Stash {
	private static final ObjectInputFilter ONLY_NUMBERS = ObjectInputFilter.Config.createFilter("java.util.ArrayList;java.lang.Double;java.lang.Number;java.lang.Object;!*");

	private final Path home;

	public Stash(Path home) {
		this.home = home;
	}

	//: .shuffled

	public void keep(String name, List<Double> values) throws IOException {
		Files.createDirectories(home);
		try (ObjectOutputStream disk = new ObjectOutputStream(Files.newOutputStream(home.resolve(fileOf(name))))) {
			disk.writeObject(new ArrayList<>(values));
		}
	}

	// recall answers the values that were kept, none for a name that is new.
	public List<Double> recall(String name) throws IOException {
		List<Double> values = new ArrayList<>();
		try (ObjectInputStream disk = new ObjectInputStream(Files.newInputStream(home.resolve(fileOf(name))))) {
			disk.setObjectInputFilter(ONLY_NUMBERS);
			for (Object value : (List<?>) disk.readObject()) {
				values.add((Double) value);
			}
		} catch (NoSuchFileException fresh) {
			return values;
		} catch (ClassNotFoundException | ClassCastException other) {
			throw new IOException("no series in " + name, other);
		}
		return values;
	}

	private static String fileOf(String name) {
		if (!name.matches("[A-Za-z0-9_]+")) {
			throw new IllegalArgumentException("letters and digits only: " + name);
		}
		return name + ".series";
	}
}
