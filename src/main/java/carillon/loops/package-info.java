/**
 * Watches whether the event loops turn: how late their timers are, and whether one stands still.
 * Stands alone.
 */
package carillon.loops;
