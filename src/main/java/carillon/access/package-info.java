/**
 * Who may do what: {@link carillon.access.Identity} and its {@link carillon.access.Grant}s, {@link
 * carillon.access.Demand}, which is the one function that decides, and API keys as they are handed
 * out and remembered. Pure: no Vert.x, no Redis, no clock. Imports nothing of ours.
 */
package carillon.access;
