/**
 * The messages between verticles, each with its address on the event bus, and the control of a
 * virtual clock. The bus carries hints, Redis holds the truth: a lost message costs latency, never
 * an execution. Apart from all that send and receive, as {@code api}, {@code timer} and {@code
 * dispatch} must not know each other.
 *
 * <p>Imports {@code flow}, {@code job}.
 */
package carillon.bus;
