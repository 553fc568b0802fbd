package carillon.json;

import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;

/** JSON as .NET's DataContract serializer wrote it: {@code \/} for a slash. */
final class EscapedSlashes extends CharacterEscapes {
  static final EscapedSlashes INSTANCE = new EscapedSlashes();
  private static final long serialVersionUID = 1L;

  private final int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();

  private EscapedSlashes() {
    escapes['/'] = '/';
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return escapes.clone();
  }

  @Override
  public SerializableString getEscapeSequence(int character) {
    return null;
  }
}
