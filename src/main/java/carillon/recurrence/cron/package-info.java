/**
 * Cron expressions as values: the forms of crontabs, Quartz and EventBridge, parsed into sets of
 * numbers. Expressions that are ambiguous between the forms are refused. Pure: independent of grids
 * and zones, which {@link carillon.recurrence} adds.
 *
 * <p>Imports no other package.
 */
package carillon.recurrence.cron;
