/**
 * What the verticles say to each other: every message and its address. Imports {@code job}. The bus
 * carries hints, Redis holds the truth: a lost message costs latency, never an execution.
 */
package carillon.bus;
