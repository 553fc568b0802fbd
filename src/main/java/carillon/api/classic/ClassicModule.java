package carillon.api.classic;

import carillon.api.dialect.DialectContext;
import carillon.api.dialect.DialectModule;
import carillon.api.http.DialectEnvelope;
import carillon.api.http.RouteTable;

/** Dialect of Azure's earlier service management API. */
public final class ClassicModule implements DialectModule {
  @Override
  public DialectEnvelope addTo(RouteTable table, DialectContext context) {
    ClassicEnvelope envelope =
        new ClassicEnvelope(
            context.codecs().apply(ClassicEnvelope.DIALECT), context.rates(), context.region());
    new ClassicRoutes(context, envelope).addTo(table);
    return envelope;
  }
}
