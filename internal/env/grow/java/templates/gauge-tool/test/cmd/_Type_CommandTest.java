class _Type_CommandTest {
	//: call .count "value" 2 61
	//: call .redraw 1
	private final Series series = new Series().add(10, 1, "low").add(20, _value_, "high");

	//: call .redraw 3

	//: .shuffled

	@Test
	void findsThePeak() {
		assertEquals("high", new _Type_Command(series).peak().tag());
	}

	@Test
	void topHoldsToItsOption() {
		assertEquals(List.of("high"), new _Type_Command(series).option("top", 1).top());
	}

	@Test
	void knowsOnlyWhatWasMeasured() {
		assertFalse(new _Type_Command(series).knows("none"));
	}
}
