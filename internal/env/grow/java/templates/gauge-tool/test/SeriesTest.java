class SeriesTest {
	private final Series series = new Series().add(1, 5, "a").add(2, 7, "b");

	//: .shuffled

	@Test
	void sliceLeavesItsEndOut() {
		assertEquals(1, series.slice(1, 2).points().size());
	}

	@Test
	void largestStandsInFront() {
		assertEquals("b", series.largest().get(0).tag());
	}

	@Test
	void unknownTagsHaveNoIndex() {
		assertEquals(-1, series.indexOf("c"));
	}
}
