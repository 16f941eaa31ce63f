//: call .choose "mark" ";" "|" "&"
//: call .settle "mark"
/** _Type_ events as lines: name=value pairs with a _mark_ between them, percent signs for what is special. */
public final class _Type_Codec {
  //: call .redraw 1
  /** Names that may occur. */
  public static final Set<String> NAMES = Set.of(_quotedColumns_);

  private static final int LONGEST = 8_000;

  //: call .redraw 1
  private _Type_Codec() {}

  //: .shuffled

  //: call .redraw 1
  /** The values of a line; unknown names are passed over. IllegalArgumentException for what is no such line. */
  public static Map<String, String> decode(String line) {
    if (line.length() > LONGEST) {
      throw new IllegalArgumentException("line too long");
    }
    var values = new LinkedHashMap<String, String>();
    for (var pair : line.split(Pattern.quote("_mark_"))) {
      int sign = pair.indexOf('=');
      if (sign < 1) {
        throw new IllegalArgumentException("no value in " + pair);
      }
      if (!NAMES.contains(pair.substring(0, sign))) {
        continue;
      }
      values.put(pair.substring(0, sign), plain(pair.substring(sign + 1)));
    }
    return values;
  }

  //: call .redraw 1
  /** The line of some values, names in the order of the map. */
  public static String encode(Map<String, String> values) {
    var line = new StringJoiner("_mark_");
    values.forEach((name, value) -> line.add(name + "=" + value.replace("%", "%25").replace("_mark_", "%XX")));
    return line.toString();
  }

  //: call .redraw 1
  private static String plain(String value) {
    return value.replace("%XX", "_mark_").replace("%25", "%");
  }

  //: call .redraw 1
  //: if call .chance 60
  /** Decodes many lines; the broken ones are left out and counted. */
  public static int decodeAll(List<String> lines, List<Map<String, String>> into) {
    int broken = 0;
    for (var line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      try {
        into.add(decode(line));
      } catch (IllegalArgumentException malformed) {
        broken++;
      }
    }
    return broken;
  }
  //: end
}
