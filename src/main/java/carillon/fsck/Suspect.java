package carillon.fsck;

import carillon.store.Guarded;

/**
 * What looks wrong, and what one slot decides about it.
 *
 * @param proof the facts that make it wrong, and the steps that mend it, if there is a way
 */
record Suspect(Finding finding, Guarded proof) {}
