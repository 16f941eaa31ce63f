class SumsTest {
    private final Sums sums = new Sums();

    //: .shuffled

    @Test
    void addsUpByName() {
        sums.add("a", 150);
        sums.add("a", 50);
        assertEquals(200, sums.require("a").cents());
        assertEquals(2, sums.require("a").rows());
    }

    @Test
    void unknownNamesAreRefused() {
        assertThrows(NoSuchElementException.class, () -> sums.require("b"));
    }

    @Test
    void totalsAreExact() {
        sums.add("a", Long.MAX_VALUE);
        assertThrows(ArithmeticException.class, () -> sums.add("a", 1));
    }
}
