package carillon.recurrence;

import carillon.recurrence.DstPolicy.Fold;
import carillon.recurrence.DstPolicy.Gap;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.stream.Stream;

/**
 * Local time of a schedule that a transition of the clocks skips or repeats.
 *
 * @param local time that the clocks do not show, or show twice
 * @param transition which causes this
 * @param dst policy for it, without AUTO
 */
public record MovedTime(LocalDateTime local, ZoneOffsetTransition transition, DstPolicy dst) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");

  /** Instants of this local time by the policy: none, one, or two. */
  public List<Instant> occurrences() {
    return isMissing()
        ? Stream.of(dst.gap()).filter(gap -> gap != Gap.SKIP).map(this::behindGap).toList()
        : offsets().map(local::toInstant).toList();
  }

  /** Whether the clocks skip the time; otherwise they show it twice. */
  public boolean isMissing() {
    return transition.isGap();
  }

  private Instant behindGap(Gap gap) {
    return gap == Gap.BOUNDARY
        ? transition.getInstant()
        : local.toInstant(transition.getOffsetBefore());
  }

  private Stream<ZoneOffset> offsets() {
    return switch (dst.fold()) {
      case FIRST -> Stream.of(transition.getOffsetBefore());
      case LAST -> Stream.of(transition.getOffsetAfter());
      default -> Stream.of(transition.getOffsetBefore(), transition.getOffsetAfter());
    };
  }

  /** Reason and result of the move, in words. */
  public String why() {
    String clocks =
        "the clocks go from "
            + text(transition.getDateTimeBefore())
            + " to "
            + text(transition.getDateTimeAfter());
    return isMissing()
        ? "does not exist, as " + clocks + "; " + gapText()
        : "comes twice, as " + clocks + "; " + foldText();
  }

  /** Includes the date if the clocks go to another day. */
  private String text(LocalDateTime time) {
    LocalDate before = transition.getDateTimeBefore().toLocalDate();
    boolean isSameDay = before.equals(transition.getDateTimeAfter().toLocalDate());
    return isSameDay ? TIME.format(time) : time.truncatedTo(ChronoUnit.MINUTES).toString();
  }

  private String gapText() {
    if (dst.gap() == Gap.SKIP) {
      return "it is left out";
    }
    LocalDateTime moved =
        LocalDateTime.ofInstant(occurrences().get(0), transition.getOffsetAfter());
    return "it is " + text(moved) + " instead";
  }

  private String foldText() {
    if (dst.fold() == Fold.BOTH) {
      return "it is both";
    }
    return "it is the " + (dst.fold() == Fold.FIRST ? "first" : "second");
  }
}
