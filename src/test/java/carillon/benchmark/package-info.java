/**
 * The load generator: measures a running scheduler from outside, over HTTP, next to baselines that
 * are measured in the same run. A program of its own: it reads the wall clock itself, and its main
 * thread may wait.
 *
 * <p>Imports no other room.
 */
package carillon.benchmark;
