/** Posts events to addresses that subscribers chose, on hosts that the operator allows. */
public final class Webhook {
  private final HttpClient client;
  private final Set<String> allowedHosts;
  private final int timeoutSeconds;

  public Webhook(HttpClient client, Set<String> allowedHosts, int timeoutSeconds) {
    this.client = client;
    this.allowedHosts = Set.copyOf(allowedHosts);
    this.timeoutSeconds = timeoutSeconds;
  }

  //: .shuffled

  //: if call .coin
  /** Posts a text and answers the status. The host must be one of the allowed ones. */
  public int post(String address, String text) throws IOException, InterruptedException {
    URI target = URI.create(address);
    String host = target.getHost();
    if (host == null || !allowedHosts.contains(host)) {
      throw new IOException("address not allowed: " + address);
    }
    var call = HttpRequest.newBuilder(target)
        .timeout(Duration.ofSeconds(timeoutSeconds))
        .POST(HttpRequest.BodyPublishers.ofString(text))
        .build();
    return client.send(call, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  //: else
  /** Sends a text to an address on an allowed host; the answer is the status. */
  public int post(String address, String text) throws IOException, InterruptedException {
    var target = URI.create(address);
    if (!"https".equals(target.getScheme()) || target.getHost() == null) {
      throw new IOException("not a web address: " + address);
    }
    if (!allowedHosts.contains(target.getHost())) {
      throw new IOException("host not allowed: " + target.getHost());
    }
    Duration patience = Duration.ofSeconds(timeoutSeconds);
    var call = HttpRequest.newBuilder(target).timeout(patience).POST(HttpRequest.BodyPublishers.ofString(text)).build();
    return client.send(call, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  //: end

  /** Posts to each address; answers those that did not take the text. */
  public List<String> broadcast(List<String> addresses, String text) throws InterruptedException {
    var refused = new ArrayList<String>();
    for (var address : addresses) {
      if (address.isBlank()) {
        continue;
      }
      try {
        if (post(address, text) / 100 != 2) {
          refused.add(address);
        }
      } catch (IOException | IllegalArgumentException unreachable) {
        refused.add(address);
      }
    }
    return refused;
  }
}
