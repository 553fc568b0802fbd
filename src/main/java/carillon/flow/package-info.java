/**
 * Flow control: limits that all nodes share for the calls of a flow. Owns the definition of a flow,
 * the choice of the flow of an action, and the requests and grants of nodes. Pure: neither Vert.x
 * nor Redis. The script {@code flow_take.lua} enforces the limits. The timer parks waiting attempts
 * in Redis.
 *
 * <p>Imports {@code job}, {@code job.action}, {@code job.name}, {@code uri}.
 */
package carillon.flow;
