package carillon.fsck;

import carillon.redis.ConditionalCommands;

/**
 * What looks wrong, and what one slot decides about it.
 *
 * @param proof the facts that make it wrong, and the steps that mend it, if there is a way
 */
record Suspicion(Finding finding, ConditionalCommands proof) {}
