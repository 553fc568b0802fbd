/**
 * Tests of the packaged program: processes of Carillon and Redis that are started, stopped, frozen
 * and killed, seen from outside over HTTP, by the command line and by foreign clients.
 */
package carillon.it;
