/**
 * A scheduler for tests of those who use Carillon: {@link carillon.testkit.CarillonServer} starts
 * the program with a virtual clock. Needs nothing but the JDK, as it runs in the programs of
 * others.
 *
 * <p>Imports no other package.
 */
package carillon.testkit;
