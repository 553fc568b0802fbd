package carillon.flow;

import carillon.job.name.NameRules;

/**
 * The full name of a flow, in the case it was given. Jobs of the same subscription and resource
 * group use it.
 *
 * @param subscription the Azure subscription, {@code default} in the native API
 * @param group the resource group, {@code default} in the native API
 * @param flow the flow's own name
 */
public record FlowName(String subscription, String group, String flow) {
  public FlowName {
    NameRules.check("subscription", subscription);
    NameRules.check("resource group", group);
    NameRules.check("flow", flow);
  }

  /** Returns the case-folded form {@code sub/group/flow}, as in Redis keys. */
  public String key() {
    return NameRules.fold(subscription + "/" + group + "/" + flow);
  }

  /** Reads {@code sub/group/flow}. */
  public static FlowName parse(String path) {
    String[] parts = path.split("/", -1);
    return new FlowName(parts[0], parts[1], parts[2]);
  }
}
