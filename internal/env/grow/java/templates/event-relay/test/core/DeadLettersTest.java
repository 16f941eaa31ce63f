class DeadLettersTest {
  private final DeadLetters letters = new DeadLetters();

  //: .shuffled

  @Test
  void newestComesFirst() {
    letters.bury(new Event(1, "a", "x", 1, Map.of()));
    letters.bury(new Event(2, "b", "x", 2, Map.of()));
    assertEquals(2, letters.newest(1).get(0).seq());
  }

  @Test
  void requeuedLettersAreGone() {
    letters.bury(new Event(1, "a", "x", 1, Map.of()));
    assertEquals(1, letters.requeue(new Inbox()));
    assertTrue(letters.kept().isEmpty());
  }
}
