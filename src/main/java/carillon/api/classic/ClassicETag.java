package carillon.api.classic;

import java.util.OptionalLong;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The ETag of a collection or cloud service in the classic dialect: its revision in the shape of a
 * GUID, without quotes, as the retired service had them.
 */
final class ClassicETag {
  private static final Pattern SHAPE =
      Pattern.compile("00000000-0000-0000-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

  private ClassicETag() {}

  /** The revision as a GUID. */
  static String of(long revision) {
    return new UUID(0, revision).toString();
  }

  /**
   * The revision that the text stands for, with or without quotes; nothing where it is another's.
   */
  static OptionalLong parse(String text) {
    String bare = text.replace("\"", "");
    return SHAPE.matcher(bare).matches()
        ? OptionalLong.of(UUID.fromString(bare).getLeastSignificantBits())
        : OptionalLong.empty();
  }
}
