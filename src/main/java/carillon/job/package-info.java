/**
 * The domain: jobs, collections, attempts and claims, and the words they are stored under. Owns
 * names, definitions, retry rules and error codes. Pure: neither Vert.x nor Redis.
 *
 * <p>Imports {@code recurrence}, {@code recurrence.calendar}, {@code recurrence.cron}.
 */
package carillon.job;
