/** Keeps lists of events on disk between two runs. */
public final class Snapshots {
  private static final ObjectInputFilter ALLOWED =
      ObjectInputFilter.Config.createFilter("java.util.*;java.lang.Object;" + Event.class.getName() + ";!*");

  private final Path folder;

  public Snapshots(Path folder) {
    this.folder = folder;
  }

  //: .shuffled

  /** Replaces the snapshot in one step, so that a crash leaves the old one or the new one. */
  public void save(String label, List<Event> events) throws IOException {
    var fresh = folder.resolve(checked(label) + ".new");
    try (var sink = new ObjectOutputStream(Files.newOutputStream(fresh))) {
      sink.writeObject(new ArrayList<>(events));
    }
    Files.move(fresh, folder.resolve(label + ".events"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The events of a snapshot. Anything else in the file is refused with an IOException. */
  public List<Event> restore(String label) throws IOException {
    var source = folder.resolve(checked(label) + ".events");
    try (var stream = new ObjectInputStream(new BufferedInputStream(Files.newInputStream(source)))) {
      stream.setObjectInputFilter(ALLOWED);
      var events = new ArrayList<Event>();
      for (Object each : (List<?>) stream.readObject()) {
        events.add((Event) each);
      }
      return events;
    } catch (ClassNotFoundException | ClassCastException odd) {
      throw new IOException("not a snapshot: " + source, odd);
    }
  }

  private static String checked(String label) {
    if (!label.matches("[a-z0-9-]{1,40}")) {
      throw new IllegalArgumentException("labels are short and plain, not " + label);
    }
    return label;
  }
}
