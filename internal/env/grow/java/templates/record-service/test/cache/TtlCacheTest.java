class TtlCacheTest {
    private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    //: .shuffled

    @Test
    void keepsFreshValues() {
        TtlCache<String> cache = new TtlCache<>(clock);
        cache.put("a", "one", 1_000);
        assertEquals(Optional.of("one"), cache.get("a"));
    }

    @Test
    void dropsOldValues() {
        TtlCache<String> cache = new TtlCache<>(clock);
        cache.put("a", "one", 0);
        assertEquals(Optional.empty(), cache.get("a"));
    }
}
