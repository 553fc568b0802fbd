package carillon.store.job;

import carillon.access.Scope;

/**
 * A part of the list of a subscription's collections, whose members are {@code group/collection}.
 * The two ends say what lies before the part, and what lies before its end.
 *
 * @param before as ZLEXCOUNT takes it
 * @param upto as ZLEXCOUNT takes it
 */
public record ListingRange(String before, String upto) {

  public static ListingRange of(Scope part) {
    if (part.group().isEmpty()) {
      return new ListingRange("(", "+");
    }
    if (part.collection().isEmpty()) {
      // '0' is the character after '/'.
      return new ListingRange("(" + part.group() + "/", "(" + part.group() + "0");
    }
    String listing = part.group() + "/" + part.collection();
    return new ListingRange("(" + listing, "[" + listing);
  }

  /** What of it comes after this member; empty text for all. */
  public ListingRange after(String member) {
    return member.isEmpty() || before.substring(1).compareTo(member) > 0
        ? this
        : new ListingRange("[" + member, upto);
  }
}
