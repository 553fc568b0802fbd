package carillon.recurrence.calendar;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Revisions of one event, the latest first: by SEQUENCE, then by DTSTAMP (RFC 5545, 3.8.7.4).
 *
 * @param isLastOnly whether the last one in the file replaces equally late ones
 */
record EventRevisions(List<IcalendarEvent> latestFirst, boolean isLastOnly) {
  private static final Comparator<IcalendarEvent> LATEST_FIRST =
      Comparator.comparingInt(IcalendarEvent::sequence)
          .thenComparing(event -> event.stamp().orElse(""))
          .reversed();

  EventRevisions {
    latestFirst = List.copyOf(latestFirst);
  }

  /** Groups the events of one UID. Each event without a UID forms its own group. */
  static List<EventRevisions> ofSeries(List<IcalendarEvent> events) {
    return grouped(events, IcalendarEvent::uid, false);
  }

  /**
   * Groups the changes of one instance.
   *
   * @param instance which instance of a series an event changes
   */
  static List<EventRevisions> ofInstances(
      List<IcalendarEvent> events, Function<IcalendarEvent, String> instance) {
    List<IcalendarEvent> lastFirst = new ArrayList<>(events);
    Collections.reverse(lastFirst);
    return grouped(
        lastFirst, event -> event.uid().map(uid -> uid + "\n" + instance.apply(event)), true);
  }

  private static List<EventRevisions> grouped(
      List<IcalendarEvent> events,
      Function<IcalendarEvent, Optional<String>> key,
      boolean isLastOnly) {
    Map<Object, List<IcalendarEvent>> groups = new LinkedHashMap<>();
    for (IcalendarEvent event : events) {
      Object group = key.apply(event).<Object>map(text -> text).orElse(event);
      groups.computeIfAbsent(group, any -> new ArrayList<>()).add(event);
    }
    return sorted(groups.values(), isLastOnly);
  }

  private static List<EventRevisions> sorted(
      Collection<List<IcalendarEvent>> groups, boolean isLastOnly) {
    return groups.stream()
        .map(all -> new EventRevisions(all.stream().sorted(LATEST_FIRST).toList(), isLastOnly))
        .toList();
  }

  /** Whether a revision ends the series. */
  boolean endsSeries() {
    return latestFirst.stream().anyMatch(IcalendarEvent::endsSeries);
  }

  /**
   * Adds the latest usable revision, and the ones that it does not replace.
   *
   * @param add returns whether the event is usable
   * @param replaced called with each replaced event, and with its replacement
   */
  void addLatest(
      Predicate<IcalendarEvent> add, BiConsumer<IcalendarEvent, IcalendarEvent> replaced) {
    Optional<IcalendarEvent> latest = Optional.empty();
    for (IcalendarEvent event : latestFirst) {
      if (latest.filter(by -> isReplaced(event, by)).isPresent()) {
        replaced.accept(event, latest.get());
      } else if (add.test(event) && latest.isEmpty()) {
        latest = Optional.of(event);
      }
    }
  }

  private boolean isReplaced(IcalendarEvent event, IcalendarEvent by) {
    if (isLastOnly || event.sequence() != by.sequence()) {
      return true;
    }
    return event.stamp().isPresent() && !event.stamp().equals(by.stamp());
  }

  /** Returns why an event is ignored. */
  static String reason(IcalendarEvent event, IcalendarEvent by) {
    return event.sequence() != by.sequence()
        ? "is replaced by SEQUENCE " + by.sequence()
        : by.stamp()
            .filter(stamp -> !stamp.equals(event.stamp().orElse("")))
            .map(stamp -> "is replaced by DTSTAMP " + stamp)
            .orElse("is replaced by a later event of the file");
  }
}
