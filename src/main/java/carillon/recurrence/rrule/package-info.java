/**
 * Recurrence rules of iCalendar (RFC 5545) as values, and their parser: rules with their dates and
 * exceptions. Pure: independent of grids and zones, which {@link carillon.recurrence} adds.
 *
 * <p>Imports no other package.
 */
package carillon.recurrence.rrule;
