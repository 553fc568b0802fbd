/**
 * The messages between verticles, each with its address on the event bus, and the control of a
 * virtual clock. The bus carries hints, and Redis holds the state: a lost message costs latency,
 * never an execution. Separate from senders and receivers, because {@code api}, {@code timer} and
 * {@code dispatch} must not depend on each other.
 *
 * <p>Imports {@code flow}, {@code job}, {@code job.action}, {@code job.attempt}.
 */
package carillon.bus;
