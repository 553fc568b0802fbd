/**
 * Measures a running scheduler from outside, over HTTP, next to ceilings that are measured in the
 * same run: how fast it accepts, how fast it drains a herd, how late it calls, how much memory a
 * job takes. A program of its own: it imports nothing of the scheduler, reads the wall clock
 * itself, and its main thread may wait.
 */
package carillon.benchmark;
