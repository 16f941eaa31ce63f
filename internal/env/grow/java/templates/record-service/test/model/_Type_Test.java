class _Type_Test {
    private static _Type_ sample() {
        return new _Type_(7L, "ada"
            <%- range .fields %>
            <%- if eq .kind "email" %>, "ada@example.org"
            <%- else if eq .kind "cents" %>, <% call .number 100 9099 %>L
            <%- else if eq .kind "count" %>, <% call .number 1 20 %>
            <%- else if eq .kind "ratio" %>, 0.<% call .number 1 9 %>
            <%- else if eq .kind "time" %>, Instant.ofEpochSecond(<% call .number 1700000000 1708999999 %>L)
            <%- else if eq .kind "flag" %>, <% call .one "true" "false" %>
            <%- else if eq .kind "state" %>, "<% call .word %>"
            <%- else if eq .kind "tags" %>, List.of("red", "blue")
            <%- else %>, "<% call .one "first" "spare" "north" "old" %>"
            <%- end %>
            <%- end %>);
    }

    //: .shuffled

    @Test
    void replacesOnlyThe_Text_() {
        _Type_ changed = sample().with_Text_("other");
        assertEquals("other", changed._text_());
        assertEquals(sample().id(), changed.id());
    }

    @Test
    void belongsToItsOwnerOnly() {
        assertTrue(sample().belongsTo("ada"));
        assertFalse(sample().belongsTo("bob"));
    }
}
