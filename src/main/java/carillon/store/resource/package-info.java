/**
 * Named resources in Redis: flows and calendars. There are few definitions, in one hash for each
 * kind, which every node reads again after a change. Also the state of the limits of each flow for
 * all nodes, in one hash for each flow, and the jobs that name a calendar.
 *
 * <p>Imports {@code bounded}, {@code flow}, {@code job}, {@code job.action}, {@code job.name},
 * {@code json}, {@code json.schedule}, {@code json.view}, {@code recurrence.calendar}, {@code
 * redis}, {@code redis.route}, {@code store.attempt}.
 */
package carillon.store.resource;
