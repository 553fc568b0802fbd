/**
 * The fault suite: {@code mvn -q package -DskipTests exec:java@faults}, options in {@code
 * -Dexec.args}. It breaks a running Carillon in many ways and judges it by the observations of a
 * target and a client.
 *
 * <pre>
 *   Scenario ── moves ──▶ World: Member (a node, a process) ── Proxy ──▶ Backend (Redis, Sentinel, Cluster)
 *      │                    │  ▲                                          real processes, all of them
 *      │                    ▼  │ PUT, PATCH, DELETE, run
 *      │        JournaledTarget  Driver
 *      │                    │  │  each call before it is answered, each answer of the API
 *      ▼ each fault         ▼  ▼
 *   Journal ───────────▶ Checker ──▶ Verdict ──▶ Outcome
 * </pre>
 *
 * The {@link carillon.faults.Checker} knows nothing of how Carillon works and shares no code with
 * it: the owed calls follow from the submitted jobs ({@link carillon.faults.Plan}) and the answers
 * of the API. It works as Jepsen's test of Chronos does.
 *
 * <p>The product contains no hooks. The target and the {@link carillon.faults.Proxy}, which sees
 * every command between a node and Redis, halt nodes at exact points. Planted bugs ({@link
 * carillon.faults.Planted}) are placed before the product on the class path.
 */
package carillon.faults;
