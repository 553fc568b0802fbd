/**
 * Load rig, shared by the benchmark and the fault suite. It puts a running Carillon under load and
 * measures the outcome. It sees Carillon from outside, as a client and as the target of its jobs.
 * It reads the wall clock itself, and its main thread may wait.
 */
package carillon.load;
