package carillon.job.action;

import carillon.job.attempt.HistoryEntry;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Position in a distributed trace: the two headers of W3C Trace Context.
 *
 * @param parent {@code 00-<trace id>-<span id>-<flags>}
 * @param state list of vendor entries, passed on unchanged; empty when there is none
 */
public record TraceContext(String parent, String state) {
  /** Name of the header that holds {@link #parent}. */
  public static final String PARENT = "traceparent";

  /** Name of the header that holds {@link #state}. */
  public static final String STATE = "tracestate";

  private static final int MAX_STATE_LENGTH = 512;

  /**
   * Form of the header. A later version may be longer; its beginning is read as version 00, as the
   * standard requires.
   */
  private static final Pattern FORM =
      Pattern.compile(
          "(?!ff)[0-9a-f]{2}-(?<trace>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-(?<flags>[0-9a-f]{2})(?:-.*)?");

  private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");

  /**
   * Returns the trace of a request. Empty if it has none, or if its headers break the standard's
   * rules: the standard requires that they are ignored.
   *
   * @param parent value of the header, or null
   * @param state value of the header, or null
   */
  public static Optional<TraceContext> of(String parent, String state) {
    if (parent == null || !FORM.matcher(parent).matches()) {
      return Optional.empty();
    }
    boolean kept =
        state != null && state.length() <= MAX_STATE_LENGTH && PRINTABLE.matcher(state).matches();
    return Optional.of(new TraceContext(parent, kept ? state : ""));
  }

  /**
   * Returns a new span of the same trace.
   *
   * @param random a span id that is 0, which the standard forbids, becomes 1
   */
  public TraceContext child(long random) {
    Matcher parts = FORM.matcher(parent);
    if (!parts.matches()) {
      throw new IllegalStateException("traceparent was checked when it came: " + parent);
    }
    String span = String.format(Locale.ROOT, "%016x", random == 0 ? 1 : random);
    return new TraceContext(
        "00-" + parts.group("trace") + "-" + span + "-" + parts.group("flags"), state);
  }

  /**
   * Unit of work that a trace may report. Its methods are called in their order, on one thread at a
   * time, and do not throw.
   */
  public interface TraceSpan {
    /** Work that is not reported, in no trace. */
    TraceSpan NONE = Optional::empty;

    /** Returns work that is not reported, in the trace of another system. */
    static TraceSpan within(Optional<TraceContext> context) {
      return context.isEmpty() ? NONE : () -> context;
    }

    /** The trace for work that follows from this one. */
    Optional<TraceContext> context();

    /** A request was answered with this status. */
    default void status(int status) {}

    /** An attempt ended with this status. */
    default void outcome(HistoryEntry.Status status) {}

    /** The work is over. */
    default void ended() {}
  }
}
