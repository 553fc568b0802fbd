/**
 * Named resources in Redis: definitions of which there are few, flows and calendars, in one hash
 * for each kind, which every node reads anew after a change. Also the state by which all nodes keep
 * the limits of a flow, in one hash for each flow, and which jobs name a calendar.
 *
 * <p>Imports {@code bounded}, {@code flow}, {@code job}, {@code json}, {@code json.view}, {@code
 * recurrence.calendar}, {@code redis}.
 */
package carillon.store.resource;
