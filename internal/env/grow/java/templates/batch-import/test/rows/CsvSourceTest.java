class CsvSourceTest {
    @TempDir
    Path folder;

    //: .shuffled

    @Test
    void readsCellsByColumn() throws IOException {
        Path file = Files.writeString(folder.resolve("a.csv"), "name;price\nada;1.50\n");
        Row row = new CsvSource(file).read().get(0);
        assertEquals("ada", row.text("name"));
        assertEquals(150, row.cents("price"));
    }

    @Test
    void refusesTooManyCells() throws IOException {
        Path file = Files.writeString(folder.resolve("b.csv"), "name\nada;1\n");
        assertThrows(IllegalArgumentException.class, () -> new CsvSource(file).read());
    }
}
