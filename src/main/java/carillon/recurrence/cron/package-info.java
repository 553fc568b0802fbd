/**
 * cron expressions as values: the forms of crontabs, Quartz and EventBridge, read into the sets of
 * numbers that they stand for. What is ambiguous between the forms is refused. Pure: knows nothing
 * of grids and zones, which {@link carillon.recurrence} adds.
 *
 * <p>Imports no other package.
 */
package carillon.recurrence.cron;
