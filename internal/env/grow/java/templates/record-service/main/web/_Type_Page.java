/** Shows _table_ as pages. */
public final class _Type_Page {
    private _Type_Page() {
    }

    //: .shuffled

    /** One record with all its fields. */
    public static String show(_Type_ _var_) {
        StringBuilder page = new StringBuilder("<dl>\n");
        //: range .fields
        //: if and .firstOfKind (eq .kind "cents")
        page.append("<dt>_fieldLabel_</dt><dd>").append(_var_._field_Text()).append("</dd>\n");
        //: else if eq .kind "cents" "count" "ratio" "flag" "time"
        page.append("<dt>_fieldLabel_</dt><dd>").append(_var_._field_()).append("</dd>\n");
        //: else if eq .kind "tags"
        page.append("<dt>_fieldLabel_</dt><dd>").append(Html.escape(String.join(", ", _var_._field_()))).append("</dd>\n");
        //: else
        page.append("<dt>_fieldLabel_</dt><dd>").append(Html.escape(_var_._field_())).append("</dd>\n");
        //: end
        //: end
        page.append("</dl>\n");
        return Html.page("_label_ " + _var_.id(), page.toString());
    }

    //: if call .coin
    /** Records as a list of links. */
    public static String list(List<_Type_> records) {
        StringBuilder page = new StringBuilder("<ul>\n");
        for (_Type_ _var_ : records) {
            page.append("<li><a href=\"/_key_/").append(_var_.id()).append("\">");
            page.append(Html.escape(_var_._text_()));
            page.append("</a></li>\n");
        }
        page.append("</ul>\n");
        return Html.page("_table_", page.toString());
    }

    //: else
    /** Records as a table, one row each. */
    public static String list(List<_Type_> records) {
        StringBuilder page = new StringBuilder("<table>\n");
        for (int i = 0; i < records.size(); i++) {
            _Type_ _var_ = records.get(i);
            page.append("<tr><td>").append(i + 1).append("</td><td>");
            page.append(Html.escape(_var_._text_())).append("</td></tr>\n");
        }
        return Html.page("_table_", page.append("</table>\n").toString());
    }
    //: end
}
