package carillon.api.dialect;

import carillon.api.http.CallerTurns;
import carillon.api.http.RequestRateLimiter;
import carillon.api.jobs.JobOperations;
import carillon.api.jobs.ResourceRoutes;
import carillon.api.resources.CollectionOperations;
import carillon.json.DialectCodecs;
import carillon.json.text.Dialect;
import carillon.store.Stores;
import java.util.function.Function;

/**
 * Parts of one instance of the API from which a dialect makes its routes.
 *
 * @param resources handlers that all dialects share
 * @param turns of lists
 * @param codecs returns the codecs of a dialect, with the documented limits of the service
 * @param region location of this node, as in its answers
 */
public record DialectContext(
    Stores stores,
    ResourceRoutes resources,
    CollectionOperations collections,
    JobOperations jobs,
    CallerTurns turns,
    RequestRateLimiter rates,
    Function<Dialect, DialectCodecs> codecs,
    String region) {}
