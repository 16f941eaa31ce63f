class _Type_FeedTest {
    private final Sums sums = new Sums();
    private final _Type_Feed feed = new _Type_Feed(sums);

    //: .shuffled

    @Test
    void addsUpGoodRows() {
        feed.take(List.of(new Row(2, Map.of("_column_", "ada", "_centsColumn_", "2.50"
            <%- range .fields %>
            <%- if eq .kind "state" "email" %>, "_fieldColumn_", "new"<% end %>
            <%- end %>))));
        assertEquals(250, feed.cost("ada"));
    }

    @Test
    void complainsAboutBadRows() {
        feed.take(List.of(new Row(2, Map.of("_column_", "ada", "_centsColumn_", "much"
            <%- range .fields %>
            <%- if eq .kind "state" "email" %>, "_fieldColumn_", "new"<% end %>
            <%- end %>))));
        assertEquals(1, feed.complaints().size());
    }
}
