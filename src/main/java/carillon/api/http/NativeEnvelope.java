package carillon.api.http;

import carillon.json.DialectCodec;
import java.util.Map;

/** The native dialect: nothing around it but the budget of each collection. */
public record NativeEnvelope(DialectCodec codec, AdmissionLimits admission)
    implements DialectEnvelope {
  @Override
  public String word() {
    return "native";
  }

  @Override
  public void parse(ApiRequest request) {
    QueryParameters unused = request.query();
  }

  @Override
  public void admit(ApiRequest request, Map<String, String> headers) {
    admission.countCollection(request);
  }
}
