class _Type_FormTest {
    //: .shuffled

    @Test
    void wantsItsParameters() {
        Request empty = new Request("ada", "POST", "/_key_", Map.of());
        assertThrows(IllegalArgumentException.class, () -> _Type_Form.read(empty));
    }

    @Test
    void refusesLongText() {
        Request request = new Request("ada", "POST", "/_key_", Map.of("_column_", "x".repeat(1_000)));
        assertThrows(IllegalArgumentException.class, () -> _Type_Form.read(request));
    }
}
