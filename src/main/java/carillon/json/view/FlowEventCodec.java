package carillon.json.view;

import carillon.flow.FlowEvent;
import carillon.flow.FlowGrant;
import carillon.job.name.WireWord;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.Timestamps;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Codec of the entries of a flow's log. */
public final class FlowEventCodec {
  private FlowEventCodec() {}

  /** Writes the stored form of an entry of the log. Answers use the same form. */
  public static String write(FlowEvent event) {
    return JsonOut.text(json -> write(json, event));
  }

  private static void write(JsonGenerator json, FlowEvent event) throws IOException {
    json.writeStartObject();
    json.writeStringField("at", Timestamps.format(event.at()));
    json.writeStringField("what", event.what().word());
    json.writeStringField("by", event.by());
    if (event.reason().isPresent()) {
      json.writeStringField("reason", event.reason().get().word());
    }
    if (event.destination().isPresent()) {
      json.writeStringField("destination", event.destination().get());
    }
    if (event.note().isPresent()) {
      json.writeStringField("note", event.note().get());
    }
    JsonOut.writeInstant(json, "until", event.until());
    json.writeEndObject();
  }

  /** Reads the form that {@link #write(FlowEvent)} writes. */
  public static FlowEvent read(String json) {
    JsonFields fields = JsonFields.root(StrictJsonParser.parseStored(json));
    return new FlowEvent(
        fields.instant("at").orElseThrow(),
        WireWord.of(FlowEvent.What.class, fields.requiredText("what")),
        fields.requiredText("by"),
        fields.text("reason").map(word -> WireWord.of(FlowGrant.Reason.class, word)),
        fields.text("destination"),
        fields.text("note"),
        fields.instant("until"));
  }

  /** Writes the answer for the log of a flow. */
  public static byte[] page(List<FlowEvent> events) {
    return JsonOut.of(
        json -> JsonOut.writePage(json, events, FlowEventCodec::write, Optional.empty()));
  }
}
