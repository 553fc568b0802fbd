/**
 * Named resources in Redis: definitions of which there are few, flows and calendars, in one hash
 * for each kind, which every node reads anew after a change; and which jobs name a calendar.
 *
 * <p>Imports {@code job}, {@code json}, {@code recurrence.calendar}, {@code redis}.
 */
package carillon.store.resource;
