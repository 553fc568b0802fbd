/**
 * Tests of the files in {@code conf/} that start no process themselves, as far as a test is
 * possible.
 */
package carillon.conf;
