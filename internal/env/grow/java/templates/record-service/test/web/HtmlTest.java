class HtmlTest {
    //: .shuffled

    @Test
    void escapesMarkup() {
        assertEquals("&lt;b&gt; &amp; &quot;q&quot;", Html.escape("<b> & \"q\""));
    }

    @Test
    void nullIsEmpty() {
        assertEquals("", Html.escape(null));
    }

    @Test
    void itemsAreEscaped() {
        assertTrue(Html.item("<i>").contains("&lt;i&gt;"));
    }
}
