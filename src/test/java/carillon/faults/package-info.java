/**
 * The fault suite: {@code mvn -q package -DskipTests exec:java@faults}, options in {@code
 * -Dexec.args}. It breaks a running Carillon in many ways and judges it by what a target and a
 * client saw.
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
 * it: what is owed follows from what was submitted ({@link carillon.faults.Plan}) and what was
 * answered. It works as Jepsen's test of Chronos does. No hook is in the product: nodes are halted
 * at exact points by the {@link carillon.faults.Proxy}, which sees every command that passes
 * between a node and Redis, and by the target; planted bugs ({@link carillon.faults.Planted}) are
 * put in front of the product on the class path.
 */
package carillon.faults;
