/**
 * Flow control: limits that all nodes keep together for the calls to what a flow stands for. Owns
 * the definition of a flow, which flow an action passes, and what nodes ask for and are granted.
 * Pure: neither Vert.x nor Redis. The limits are kept by {@code flow_take.lua}; what waits for them
 * waits in Redis, where the timer puts it.
 *
 * <p>Imports {@code job}.
 */
package carillon.flow;
