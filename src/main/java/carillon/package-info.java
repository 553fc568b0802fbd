/**
 * The program: {@code Main} reads arguments and settings, {@code App} starts the parts of a node
 * and stops them in reverse; {@code ApiPart} and {@code EnginePart} wire and deploy the verticles.
 * Nothing else imports this package; it sees every other.
 *
 * <pre>
 * recurrence &lt;- job &lt;- codec &lt;- store, bus &lt;- api, timer, dispatch &lt;- App        wheel, config, embedded, loops stand alone
 * store &lt;- fsck &lt;- App        codec &lt;- cli &lt;- Main
 * </pre>
 *
 * What can be observed in {@code store}, {@code timer}, {@code dispatch} and {@code api} each of
 * them names in an interface of its own; {@code metrics} and {@code tracing} implement them, and
 * only this package knows these.
 */
package carillon;
