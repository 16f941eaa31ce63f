class InboxTest {
  private final Inbox inbox = new Inbox();

  //: .shuffled

  @Test
  void sameKeyIsQueuedOnce() {
    long one = inbox.offer("k", "ping", 10, Map.of());
    assertEquals(one, inbox.offer("k", "ping", 11, Map.of()));
  }

  @Test
  void untilIsExclusive() {
    inbox.offer("a", "ping", 10, Map.of());
    inbox.offer("b", "ping", 20, Map.of());
    assertEquals(1, inbox.between(10, 20).size());
  }

  @Test
  void acknowledgedEventsAreGone() {
    inbox.offer("a", "ping", 10, Map.of());
    inbox.acknowledge(inbox.byTime().get(0));
    assertTrue(inbox.byTime().isEmpty());
    assertEquals(1, inbox.taken("ping"));
  }
}
