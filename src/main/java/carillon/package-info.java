/**
 * The program: {@code Main} reads arguments and settings, {@code App} wires and deploys the
 * verticles and stops them in reverse. Nothing else imports this package; it sees every other.
 *
 * <pre>
 * recurrence &lt;- job &lt;- codec &lt;- store, bus &lt;- api, timer, dispatch &lt;- App        wheel, config, embedded stand alone
 * store &lt;- fsck &lt;- App
 * </pre>
 */
package carillon;
