/** Finds what is odd about _label_ events before plugins see them. */
public final class _Type_Screen {
  //: call .choose "long" "80" "160" "300"
  //: call .choose "old" "2" "7" "30"
  //: call .redraw 1
  private static final int LONGEST_TEXT = _long_;
  private static final long OLDEST_MILLIS = _old_ * 86_400_000L;

  //: call .redraw 3

  //: .shuffled

  /** What is odd about an event, nothing for a good one. */
  public List<String> complaints(Event event) {
    var complaints = new ArrayList<String>();
    //: range .fields
    //: if eq .kind "cents" "count"
    if (event.number("_fieldColumn_", 0) < 0) {
      complaints.add("_fieldLabel_ is negative");
    }
    //: else if eq .kind "text"
    if (event.text("_fieldColumn_").length() > LONGEST_TEXT) {
      complaints.add("_fieldLabel_ is too long");
    }
    //: else if eq .kind "email"
    if (!event.text("_fieldColumn_").contains("@")) {
      complaints.add("_fieldLabel_ is no address");
    }
    //: else if eq .kind "state"
    if (!Set.of(_quotedWords_).contains(event.text("_fieldColumn_"))) {
      complaints.add("_fieldLabel_ is unknown");
    }
    //: end
    //: end
    return complaints;
  }

  /** The events without complaints that are not too old, in their order. */
  public List<Event> good(List<Event> events, long nowMillis) {
    var good = new ArrayList<Event>();
    for (var event : events) {
      if (nowMillis - event.atMillis() > OLDEST_MILLIS) {
        continue;
      }
      if (complaints(event).isEmpty()) {
        good.add(event);
      }
    }
    return good;
  }

  /** Which share of the events has nothing odd, 1 when there are none. */
  public double goodShare(List<Event> events) {
    int good = 0;
    for (int i = 0; i < events.size(); i++) {
      if (complaints(events.get(i)).isEmpty()) {
        good++;
      }
    }
    return events.isEmpty() ? 1 : (double) good / events.size();
  }
}
