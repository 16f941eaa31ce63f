/** Plugins by name, with the order in which they get events. */
public final class PluginRegistry {
  private record Entry(String name, long rank, Dispatcher.Plugin plugin) {
  }

  private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

  //: .shuffled

  /** Adds a plugin; IllegalStateException when the name is taken. Low ranks get events first. */
  public void register(String name, long rank, Dispatcher.Plugin plugin) {
    if (entries.putIfAbsent(name, new Entry(name, rank, plugin)) != null) {
      throw new IllegalStateException("there is a plugin called " + name);
    }
  }

  /** All plugins in the order of their ranks, equal ranks by name. */
  public List<Dispatcher.Plugin> ordered() {
    var sorted = new ArrayList<>(entries.values());
    sorted.sort((a, b) -> a.rank() == b.rank() ? a.name().compareTo(b.name()) : Long.compare(a.rank(), b.rank()));
    var plugins = new ArrayList<Dispatcher.Plugin>();
    for (var entry : sorted) {
      plugins.add(entry.plugin());
    }
    return plugins;
  }

  /** Takes a plugin out; false when there was none of that name. */
  public boolean unregister(String name) {
    return entries.remove(name) != null;
  }
}
