package carillon.json.text;

import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobException.Detail;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Refusals of a document: the first is thrown, or all are collected, up to a bound. */
public final class Refusals {
  /** The first refusal is thrown. */
  public static final Refusals FIRST = new Refusals(List.of());

  /**
   * Maximum number of refusals. Nobody reads more, and a body may contain a hundred thousand
   * mistakes.
   */
  private static final int MAX = 50;

  /** Place at the start of a message. */
  private static final Pattern PLACE =
      Pattern.compile("([A-Za-z]\\w*(?:[.\\[]\\S*)?): .*", Pattern.DOTALL);

  private final List<Detail> found;

  /** Signal to end a reading, because the maximum number of refusals is reached. */
  private static final class EnoughException extends RuntimeException {
    private static final long serialVersionUID = 1;

    EnoughException() {
      super("enough", null, false, false);
    }
  }

  private Refusals(List<Detail> found) {
    this.found = found;
  }

  /**
   * Returns the exception for a refused document: the first refusal, with all refusals as details
   * if there are several.
   *
   * @param first the refusal
   * @param reading reads the document once more
   */
  public static JobException all(JobException first, Consumer<Refusals> reading) {
    if (first.code() != ErrorCode.INVALID) {
      return first;
    }
    Refusals all = new Refusals(new ArrayList<>());
    try {
      reading.accept(all);
    } catch (JobException e) {
      all.addLast(e);
    } catch (RuntimeException e) {
      // enough, or a failure from placeholders for refused values; the refusals found before count
    }
    return all.found.size() > 1 ? all.asDetailsOf(first) : first;
  }

  private void addLast(JobException refusal) {
    try {
      add(refusal, "");
    } catch (EnoughException e) {
      // the maximum is reached, with the last refusal
    }
  }

  private JobException asDetailsOf(JobException first) {
    List<Detail> details = new ArrayList<>(found);
    Detail same = new Detail(first.code(), first.getMessage(), target(first, ""));
    details.removeIf(detail -> detail.message().equals(same.message()));
    details.add(0, same);
    return new JobException(
        first.code(), first.getMessage(), details.subList(0, Math.min(MAX, details.size())));
  }

  boolean collects() {
    return this != FIRST;
  }

  /**
   * Adds a refusal, unless it follows from an earlier one for the same place, or a place within or
   * around it. Ends the reading at the maximum number.
   */
  void add(JobException refusal, String place) {
    if (!collects()) {
      throw refusal;
    }
    String target = target(refusal, place);
    if (found.size() < MAX && (target.isEmpty() ? found.isEmpty() : !concern(target))) {
      found.add(new Detail(refusal.code(), refusal.getMessage(), target));
    }
    if (found.size() == MAX) {
      throw new EnoughException();
    }
  }

  private static String target(JobException refusal, String place) {
    Matcher matcher = PLACE.matcher(refusal.getMessage());
    return matcher.matches() ? matcher.group(1) : place;
  }

  boolean concern(String target) {
    return found.stream()
        .anyMatch(d -> isWithin(d.target(), target) || isWithin(target, d.target()));
  }

  private static boolean isWithin(String inner, String outer) {
    return inner.startsWith(outer)
        && (inner.length() == outer.length() || ".[".indexOf(inner.charAt(outer.length())) >= 0);
  }

  void throwAny() {
    if (!found.isEmpty()) {
      Detail first = found.get(0);
      throw new JobException(first.code(), first.message());
    }
  }
}
