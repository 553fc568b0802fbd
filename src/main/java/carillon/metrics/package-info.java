/**
 * What Prometheus reads: the observers of {@code store}, {@code timer}, {@code dispatch} and {@code
 * api} turned into meters, the watch over the event loops, and the text of {@code /metrics}. No
 * other package knows of it but {@code carillon}, whose Observation hands the observers out. Meters
 * are thread-safe and allocate nothing where work is done; labels are bounded and hold no secrets.
 */
package carillon.metrics;
