package carillon.api.classic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.api.classic.ClassicXmlWriter.ServiceListing;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.JobCollection;
import carillon.job.name.CollectionName;
import carillon.json.StoredJson;
import carillon.store.classic.CloudService;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Test of XML answers, byte for byte against recorded answers of the retired service. */
class ClassicXmlTest {
  private static final Instant NOW = Instant.parse("2015-07-01T00:00:34Z");
  private static final CollectionName COLLECTION =
      new CollectionName("s1", "cloud_service_b011479", "job_collection_b011479");
  private static final ClassicXmlWriter XML = new ClassicXmlWriter("west");
  private static final String NAMESPACES =
      " xmlns=\"http://schemas.microsoft.com/windowsazure\""
          + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"";

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static JobCollection collection(CollectionDefinition before, String inside) {
    String document = "<Resource" + NAMESPACES + ">" + inside + "</Resource>";
    return new JobCollection(
        COLLECTION,
        ClassicXmlReader.collection(before, document.getBytes(StandardCharsets.UTF_8)).definition(),
        0x19a_2b3c_4d5eL,
        NOW,
        NOW);
  }

  private static JobCollection collection(String inside) {
    return collection(CollectionDefinition.PLAIN.at(Optional.of("westeurope")), inside);
  }

  @Test
  void aCollectionIsAnsweredAsRecorded() {
    JobCollection collection =
        collection("<IntrinsicSettings><plan>Standard</plan></IntrinsicSettings>");

    assertEquals(
        "<Resource"
            + NAMESPACES
            + "><CloudServiceSettings><GeoRegion>West Europe</GeoRegion></CloudServiceSettings>"
            + "<ETag>00000000-0000-0000-0000-019a2b3c4d5e</ETag>"
            + "<IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>"
            + "<Name>job_collection_b011479</Name><OperationStatus><Error><HttpCode>200</HttpCode>"
            + "<Message>OK</Message></Error><Result>Succeeded</Result></OperationStatus>"
            + "<PromotionCode></PromotionCode><SchemaVersion>1.1</SchemaVersion>"
            + "<State>Started</State><SubState i:nil=\"true\"/><Type>jobcollections</Type>"
            + "</Resource>",
        text(XML.collection(collection)));
  }

  @Test
  void quotaAndLabelComeBack() {
    JobCollection collection =
        collection(
            "<SchemaVersion>1.1</SchemaVersion><IntrinsicSettings><Plan>free</Plan><Quota>"
                + "<MaxJobCount>5</MaxJobCount><MaxJobOccurrence>7</MaxJobOccurrence>"
                + "<MaxRecurrence><Frequency>MINUTE</Frequency><Interval>1</Interval>"
                + "</MaxRecurrence></Quota></IntrinsicSettings><Label>w6Q8</Label>"
                + "<State>Stopped</State>");

    String answer = text(XML.collection(collection));

    assertEquals("\u00e4<", collection.definition().label().orElseThrow());
    assertEquals(
        "<IntrinsicSettings><Plan>free</Plan><Quota><MaxJobCount>5</MaxJobCount>"
            + "<MaxJobOccurrence>7</MaxJobOccurrence><MaxRecurrence><Frequency>Minute</Frequency>"
            + "<Interval>1</Interval></MaxRecurrence></Quota></IntrinsicSettings>"
            + "<Label>w6Q8</Label>",
        answer.substring(answer.indexOf("<Intrinsic"), answer.indexOf("<Name>")));
    assertEquals(true, answer.contains("<State>Stopped</State>"));
  }

  @Test
  void anUpdateKeepsWhatItDoesNotMention() {
    JobCollection before =
        collection(
            "<IntrinsicSettings><Plan>Free</Plan><Quota><MaxJobCount>5</MaxJobCount></Quota>"
                + "</IntrinsicSettings><Label>YQ==</Label><State>Stopped</State>");

    CollectionDefinition labelled =
        collection(before.definition(), "<ETag/><Label>Yg==</Label>").definition();
    CollectionDefinition planned =
        collection(
                before.definition(),
                "<ETag/><IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>")
            .definition();

    assertEquals(
        "{\"location\":\"westeurope\",\"state\":\"disabled\",\"sku\":{\"name\":\"Free\"},"
            + "\"quota\":{\"maxJobCount\":5},\"label\":\"b\"}",
        StoredJson.write(labelled));
    assertEquals(
        "{\"location\":\"westeurope\",\"state\":\"disabled\",\"sku\":{\"name\":\"Standard\"},"
            + "\"label\":\"a\"}",
        StoredJson.write(planned));
  }

  @Test
  void cloudServicesAreListedAsRecorded() {
    CloudService own =
        new CloudService("s1", "cs1", "label", "a < b", Optional.of("West Europe"), 1);
    CloudService group = CloudService.ofGroup("s1", "cs2", Optional.empty());
    JobCollection collection =
        collection("<IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>");

    assertEquals(
        "<CloudServices"
            + NAMESPACES
            + "><CloudService><Name>cs1</Name><Label>label</Label><Description>a &lt;"
            + " b</Description><GeoRegion>West Europe</GeoRegion><Resources/></CloudService>"
            + "<CloudService><Name>cs2</Name><Label>cs2</Label><Description>Resource group based"
            + " cloud service.</Description><GeoRegion>west</GeoRegion><Resources><Resource>"
            + "<ResourceProviderNamespace>Scheduler</ResourceProviderNamespace>"
            + "<Type>jobcollections</Type><Name>job_collection_b011479</Name>"
            + "<SchemaVersion>1.1</SchemaVersion>"
            + "<ETag>00000000-0000-0000-0000-019a2b3c4d5e</ETag><State>Started</State>"
            + "<IntrinsicSettings><Plan>Standard</Plan></IntrinsicSettings>"
            + "<OperationStatus><Type>Create</Type><Result>Succeeded</Result></OperationStatus>"
            + "<Label>job_collection_b011479</Label></Resource></Resources></CloudService>"
            + "</CloudServices>",
        text(
            XML.cloudServices(
                List.of(
                    new ServiceListing(own, List.of()),
                    new ServiceListing(group, List.of(collection))))));
  }

  @Test
  void anOperationIsAnsweredAsRecorded() {
    assertEquals(
        "<Operation"
            + NAMESPACES
            + "><ID>bc99b612-149c-bd00-83dd-f50a9012b2bc</ID><Status>Succeeded</Status>"
            + "<HttpStatusCode>200</HttpStatusCode></Operation>",
        text(
            ClassicXmlWriter.operation(
                "bc99b612-149c-bd00-83dd-f50a9012b2bc", 200, Optional.empty())));
    assertEquals(
        "<Operation"
            + NAMESPACES
            + "><ID>i</ID><Status>Failed</Status><HttpStatusCode>409</HttpStatusCode>"
            + "<Error><Code>ConflictError</Code><Message>m</Message></Error></Operation>",
        text(
            ClassicXmlWriter.operation(
                "i", 409, Optional.of(new ClassicXmlWriter.XmlError("ConflictError", "m")))));
  }

  @Test
  void anErrorHoldsWhatXmlCanHold() {
    assertEquals(
        "<Error"
            + NAMESPACES
            + "><Code>c</Code><Message>&lt;\uFFFD&amp;\uFFFD]]&gt;</Message></Error>",
        text(ClassicXmlWriter.error(new ClassicXmlWriter.XmlError("c", "<\u0000&\uD800]]>"))));
  }
}
