/**
 * A scheduler for the tests of Carillon's users: {@link carillon.testkit.CarillonServer} starts the
 * program with a virtual clock. Needs only the JDK, because it runs in other programs.
 *
 * <p>Imports no other package.
 */
package carillon.testkit;
