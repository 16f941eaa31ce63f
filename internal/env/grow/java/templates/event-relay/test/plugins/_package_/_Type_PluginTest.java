class _Type_PluginTest {
  private final _Type_Plugin plugin = new _Type_Plugin();

  //: .shuffled

  //: call .count "many" 2 91
  //: call .redraw 2
  @Test
  void addsUp() {
    plugin.take(new Event(1, "a", "_key_", 0, Map.of("_column_", "x", "_measureColumn_", "_many_")));
    assertEquals(_many_L, plugin.sumOf("x"));
  }

  //: call .redraw 2

  @Test
  void leavesOtherKindsAlone() {
    assertFalse(plugin.accepts(new Event(1, "a", "other", 0, Map.of())));
  }

  @Test
  void nothingReportedIsNoShare() {
    assertEquals(0.0, plugin.usefulShare());
  }
}
