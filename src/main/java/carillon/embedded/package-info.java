/**
 * A real Redis server of our own, as a child process on a unix socket, for a first start without
 * any installation and for the tests. Owns the data directory: its lock, the generated {@code
 * redis.conf}, the log and the socket. Imports nothing of ours and nothing of Vert.x; everything
 * here blocks and is called before the event loops start and after they have ended.
 */
package carillon.embedded;
