package carillon.fsck;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What looks wrong and spans slots, so that no single step can prove it: true is what is seen again
 * and again, without a change, longer than any node takes from one step to the next.
 *
 * @param look looks again: what is wrong, empty when nothing is; an equal finding means that
 *     nothing has changed
 * @param repair mends it by steps that are safe whatever has happened since; false when there was
 *     nothing to be mended
 */
record DeferredCheck(Supplier<Future<Optional<Finding>>> look, Supplier<Future<Boolean>> repair) {}
