/**
 * The load rig: what the benchmark and the fault suite share to put a running Carillon under load
 * and to tell what came of it. It sees Carillon from outside, as a client and as the target of its
 * jobs. It reads the wall clock itself, and its main thread may wait.
 */
package carillon.load;
