/**
 * Flows in Redis: their definitions, and the state by which all nodes keep their limits. {@code
 * FlowStore} writes the definitions, which every node reads anew after a change; {@code
 * FlowLimiter} asks for tokens, by {@code flow_take.lua}, in one hash for each flow.
 *
 * <p>Imports {@code flow}, {@code job}, {@code json.view}, {@code redis}, {@code store.resource}.
 */
package carillon.store.flow;
