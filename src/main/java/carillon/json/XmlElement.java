package carillon.json;

import carillon.job.JobException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An element of a client's document. Namespaces do not count, and neither does the case of names:
 * clients of the retired service differ in both.
 *
 * @param name as written, without its prefix
 * @param text directly within, without surrounding white space
 * @param children in order; those that are nil ({@code xsi:nil="true"}) are left out
 */
record XmlElement(String name, String text, List<XmlElement> children) {
  XmlElement {
    children = List.copyOf(children);
  }

  boolean isNamed(String wanted) {
    return name.toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT));
  }

  /** The only child of this name. */
  Optional<XmlElement> child(String wanted) {
    List<XmlElement> found = children.stream().filter(child -> child.isNamed(wanted)).toList();
    if (found.size() > 1) {
      throw JobException.invalid(wanted + ": is given twice");
    }
    return found.stream().findFirst();
  }

  /** The text of a child. An empty element counts as absent. */
  Optional<String> text(String child) {
    return child(child).map(XmlElement::text).filter(value -> !value.isEmpty());
  }

  /** The text of a child that must be there, of at most so many characters. */
  String requiredText(String child, int most) {
    String value =
        text(child).orElseThrow(() -> JobException.invalid(child + ": is missing or empty"));
    if (value.length() > most) {
      throw JobException.invalid(
          child + ": " + value.length() + " characters are more than the " + most + " allowed");
    }
    return value;
  }
}
