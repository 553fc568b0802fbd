/**
 * The guarded way out: decides which addresses jobs may reach, and looks host names up for that.
 * Imports nothing of ours. What decides is pure; only the look-up needs Vert.x.
 */
package carillon.egress;
