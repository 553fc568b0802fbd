package carillon.api.http;

import carillon.json.ProviderWriter;
import io.vertx.core.http.HttpServerRequest;

/**
 * What Azure Resource Manager told about the provider, and registering it, which changes nothing.
 */
public final class ProviderRoutes {
  private final ProviderWriter writer = new ProviderWriter(ArmEnvelope.VERSIONS);

  public ApiResponse answer(HttpServerRequest request, ProviderPath path) {
    if (!request.method().name().equals(path.kind().method())) {
      throw HttpException.methodNotAllowed(request.method().name(), path.kind().method());
    }
    return ApiResponse.json(
        200,
        switch (path.kind()) {
          case OPERATIONS -> writer.operations();
          case PROVIDERS -> writer.providers(path.subscription());
          case PROVIDER, REGISTER -> writer.provider(path.subscription());
        });
  }
}
