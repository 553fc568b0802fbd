package carillon.api.dialect;

import carillon.api.http.DialectEnvelope;
import carillon.api.http.RouteTable;

/**
 * Dialect of the API beside the native one. A node has one module for each, which all instances of
 * its API share; thread-safe.
 */
public interface DialectModule {
  /**
   * Adds the routes of the dialect to the table of one instance.
   *
   * @return the envelope that may refuse paths that are in no table
   */
  DialectEnvelope addTo(RouteTable table, DialectContext context);
}
