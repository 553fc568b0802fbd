/**
 * When to look: a timer wheel of wake-ups (partition, epoch millisecond) as a value that its owner
 * advances. It owns no clock, no thread and no I/O, never holds a job, and imports nothing of ours
 * and nothing of Vert.x.
 */
package carillon.wheel;
