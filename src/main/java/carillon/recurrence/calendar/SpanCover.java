package carillon.recurrence.calendar;

import carillon.recurrence.Coverage.Lookups;
import carillon.recurrence.Coverage.Stretch;

/** What one span of a calendar covers, or several that are looked up together. */
interface SpanCover {
  /** The covered or free stretch around a second. */
  Stretch at(long second, Lookups lookups);
}
