//: if call .coin
/** _OneLabel_ as it is stored; owner is the user it belongs to. */
//: else
/** One row of _table_. Records never change: they are replaced. */
//: end
public record _Type_(long id, String owner<% range .fields %>, _javaType_ _field_<% end %>) {
    //: with .first.state
    /** The words that _field_ may be. */
    public static final Set<String> _Choices_ = Set.of(_quotedWords_);

    //: end
    public _Type_ {
        Objects.requireNonNull(owner, "owner");
        //: with .first.tags
        _field_ = List.copyOf(_field_);
        //: end
        //: range .fields
        //: if eq .kind "text" "email" "state"
        Objects.requireNonNull(_field_, "_field_");
        //: end
        //: end
    }

    //: .shuffled

    /** The same record with another _text_. */
    public _Type_ with_Text_(String _text_) {
        return new _Type_(id, owner, _fieldNames_);
    }

    //: with .first.cents
    /** _fieldLabel_ in whole units and cents, as people read it. */
    public String _field_Text() {
        return String.format(Locale.ROOT, "%d.%02d", _field_ / 100, Math.abs(_field_ % 100));
    }

    //: end

    //: with .first.time
    /** Whether the moment lies behind now. */
    public boolean past(Instant now) {
        return _field_ != null && _field_.isBefore(now);
    }

    //: end

    //: with .first.tags
    /** How many of the wanted words the record carries. */
    public int matches(List<String> wanted) {
        int found = 0;
        for (int i = 0; i < wanted.size(); i++) {
            if (_field_.contains(wanted.get(i))) {
                found++;
            }
        }
        return found;
    }

    //: end

    //: with .first.ratio
    /** What is left of an amount in cents after the _field_ is taken off, never below zero. */
    public long less_Field_(long cents) {
        return Math.max(0L, cents - Math.round(cents * _field_));
    }

    //: end

    /** Whether the record belongs to a user. */
    public boolean belongsTo(String user) {
        return owner.equals(user);
    }
}
