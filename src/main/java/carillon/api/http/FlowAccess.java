package carillon.api.http;

import carillon.access.Caller;
import carillon.access.Role;
import carillon.access.Scope;
import carillon.access.Visibility;
import carillon.flow.Flow;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowName;
import carillon.job.name.CollectionPattern;
import carillon.store.resource.ResourceStore.FoundResource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Rule on who may see and change the flows of a group. A role in the whole group holds for all of
 * its flows. A role in some collections covers flows of these collections alone, which calls of
 * other collections do not pass. It shows the flows that these collections may name.
 *
 * @param group of the flows
 * @param role that a change needs
 */
public record FlowAccess(Caller caller, Scope group, Role role) {
  /** Returns the rule for the request. A change of a flow needs this role. */
  public static FlowAccess of(ApiRequest request, Role role) {
    return new FlowAccess(
        request.caller(),
        Scope.group(request.path().subscription(), request.path().group().orElseThrow()),
        role);
  }

  /** Whether the visible jobs may name the flow, or the whole group is visible. */
  public static boolean isVisible(Visibility visible, FlowName name, FlowDefinition flow) {
    Scope group = Scope.group(name.subscription(), name.group());
    return visible.covers(group)
        || (visible.meets(group)
            && (!flow.match().isEmpty() || collections(group, flow).anyMatch(visible::meets)));
  }

  private static Stream<Scope> collections(Scope group, FlowDefinition flow) {
    return flow.collections().stream().map(pattern -> in(group, pattern));
  }

  private static Scope in(Scope group, CollectionPattern pattern) {
    return new Scope(group.subscription(), group.group(), pattern);
  }

  /** Whether the caller has the role for all flows of the group. */
  public boolean isOfGroup() {
    return caller.may(role, group);
  }

  /** Whether the caller may read this flow. One that is damaged is for readers of the group. */
  public boolean sees(FoundResource<Flow> found) {
    return caller.may(Role.READER, group) || found.resource().filter(this::sees).isPresent();
  }

  private boolean sees(Flow flow) {
    return isVisible(caller.visibility(), flow.name(), flow.definition());
  }

  /** Whether the caller has the role for this flow. */
  public boolean mayChange(FlowDefinition flow) {
    return isOfGroup() || isOwn(flow, scope -> caller.may(role, scope));
  }

  private boolean isOwn(FlowDefinition flow, Predicate<Scope> isOwn) {
    return flow.match().isEmpty()
        && !flow.collections().isEmpty()
        && collections(group, flow).allMatch(isOwn);
  }

  /** Whether it is a flow of the group for which the caller has the role. */
  public boolean owns(Flow flow) {
    FlowName name = flow.name();
    return group.equals(Scope.group(name.subscription(), name.group()))
        && mayChange(flow.definition());
  }

  /** Refuses a change of a flow, to or from this definition. */
  public void check(Optional<FlowDefinition> flow) {
    if (!isOfGroup() && flow.filter(this::mayChange).isEmpty()) {
      throw HttpException.forbidden(
          "'"
              + caller.name()
              + "' is not allowed to do this; the request needs the role "
              + role.word()
              + " in "
              + group.text()
              + ", or in all collections of the flow, which then has no match");
    }
  }

  /** Whether calls of collections that the caller may not read pass the flow. */
  public boolean isShared(FlowDefinition flow) {
    Visibility visible = caller.visibility();
    return !visible.covers(group) && !isOwn(flow, visible::covers);
  }

  /** The flow as the caller is shown it: without collections that they may not read. */
  public Flow shown(Flow flow) {
    Visibility visible = caller.visibility();
    List<CollectionPattern> collections =
        flow.definition().collections().stream()
            .filter(pattern -> visible.meets(in(group, pattern)))
            .toList();
    return flow.with(flow.definition().with(collections));
  }
}
