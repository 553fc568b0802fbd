/**
 * Recurrences said in another form: a frequency as a cron expression, that as one of another
 * dialect, and back, where both mean exactly the same. What cannot be said says why. Pure.
 *
 * <p>Imports {@code recurrence} and {@code recurrence.cron}.
 */
package carillon.recurrence.conversion;
