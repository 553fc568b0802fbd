/**
 * Helpers for tests of several packages: real Redis servers and brokers, substitutes for other
 * peers, nodes, engines, a settable clock, and waits for conditions.
 */
package carillon.support;
