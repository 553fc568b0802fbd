package carillon.api.arm;

import static carillon.api.http.RoutePermission.ANY_ROLE;
import static carillon.api.http.RoutePermission.KNOWN;
import static carillon.api.http.RoutePermission.SUBSCRIPTION_SIGHT;

import carillon.api.dialect.DialectContext;
import carillon.api.dialect.DialectModule;
import carillon.api.http.ApiResponse;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.Route;
import carillon.api.http.Route.BodyFormat;
import carillon.api.http.RouteTable;
import carillon.config.Settings.ArmSettings;
import io.vertx.core.Future;

/** Dialect of Azure Resource Manager: collections, jobs, histories and the resource provider. */
public final class ArmModule implements DialectModule {
  private static final String PROVIDER = "/providers/Microsoft.Scheduler";
  private static final String COLLECTIONS = PROVIDER + "/jobCollections";
  private static final String SUBSCRIPTION = "/subscriptions/{subscription}";

  private final ArmRateLimiter rates;

  /** Creates the dialect with unused budgets. */
  public ArmModule(ArmSettings settings) {
    this.rates = new ArmRateLimiter(settings);
  }

  @Override
  public DialectEnvelope addTo(RouteTable table, DialectContext context) {
    ArmEnvelope envelope =
        new ArmEnvelope(
            context.codecs().apply(ArmEnvelope.DIALECT), context.rates(), rates, context.region());
    table.below(DialectEnvelope.NONE, "/subscriptions", KNOWN, RouteTable::nothing);
    context.resources().addCollections(table, envelope, SUBSCRIPTION + COLLECTIONS);
    context
        .resources()
        .addResources(table, envelope, SUBSCRIPTION + "/resourceGroups/{group}" + COLLECTIONS);
    addProvider(table, envelope.ofManager());
    return envelope;
  }

  /**
   * Adds the description of the resource provider, and its registration, which changes nothing.
   * Clients of Resource Manager ask for both before they ask for resources.
   */
  private static void addProvider(RouteTable table, DialectEnvelope manager) {
    ProviderWriter writer = new ProviderWriter(ArmEnvelope.VERSIONS);
    table
        .at(manager, PROVIDER + "/operations", "operations", ANY_ROLE)
        .on("GET", request -> json(writer.operations()));
    table
        .at(manager, SUBSCRIPTION + "/providers", "providers", SUBSCRIPTION_SIGHT)
        .on("GET", request -> json(writer.providers(request.path().subscription())));
    Route.Handler described = request -> json(writer.provider(request.path().subscription()));
    String provider = SUBSCRIPTION + PROVIDER;
    table.at(manager, provider, "provider", SUBSCRIPTION_SIGHT).on("GET", described);
    table
        .at(manager, provider + "/register", "register", SUBSCRIPTION_SIGHT)
        .taking(BodyFormat.NONE)
        .on("POST", described);
  }

  private static Future<ApiResponse> json(byte[] document) {
    return Future.succeededFuture(ApiResponse.json(200, document));
  }
}
