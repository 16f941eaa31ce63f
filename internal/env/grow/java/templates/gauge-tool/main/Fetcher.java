// Reads measurements that stations publish. Only stations on the list are asked.
public class Fetcher {
	private final HttpClient web = HttpClient.newHttpClient();
	private final Set<String> trustedHosts;
	private final int waitSeconds;

	public Fetcher(Set<String> trustedHosts, int waitSeconds) {
		this.trustedHosts = new HashSet<>(trustedHosts);
		this.waitSeconds = waitSeconds;
	}

	//: .shuffled

	public String read(URI station) throws IOException {
		if (!trustedHosts.contains(station.getHost())) {
			throw new IOException("not on the list: " + station.getHost());
		}
		HttpRequest question = HttpRequest.newBuilder(station).timeout(Duration.ofSeconds(waitSeconds)).build();
		try {
			HttpResponse<String> reply = web.send(question, HttpResponse.BodyHandlers.ofString());
			if (reply.statusCode() != 200) {
				throw new IOException(station + " said " + reply.statusCode());
			}
			return reply.body();
		} catch (InterruptedException hurry) {
			Thread.currentThread().interrupt();
			throw new IOException("stopped while asking " + station, hurry);
		}
	}

	// readAll asks each station once; those that fail are passed over.
	public Map<URI, String> readAll(Collection<URI> stations) {
		Map<URI, String> replies = new LinkedHashMap<>();
		for (URI station : stations) {
			if (station.getHost() == null || replies.containsKey(station)) {
				continue;
			}
			try {
				replies.put(station, read(station));
			} catch (IOException silent) {
				Logger.getLogger("gauge.fetcher").log(Level.INFO, "no reply", silent);
			}
		}
		return replies;
	}
}
