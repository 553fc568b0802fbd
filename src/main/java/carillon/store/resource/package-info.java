/**
 * Named resources in Redis: definitions of which there are few, such as flows, in one hash for each
 * kind, which every node reads anew after a change. Calendars, and which jobs name them.
 *
 * <p>Imports {@code job}, {@code json}, {@code recurrence.calendar}, {@code redis}.
 */
package carillon.store.resource;
