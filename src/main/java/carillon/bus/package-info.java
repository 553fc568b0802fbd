/**
 * The messages between verticles, each with its address on the event bus. The bus carries hints,
 * Redis holds the truth: a lost message costs latency, never an execution.
 *
 * <p>Imports {@code job}.
 */
package carillon.bus;
