package carillon.json;

import carillon.job.JobException;
import carillon.job.Quoted;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads one XML document into a tree. Nothing outside the document is ever looked at: a document
 * type, an entity of its own, another encoding than UTF-8, nesting deeper than {@value #DEEPEST}
 * and more than {@value #LARGEST} bytes are refused.
 */
final class XmlParser {
  private static final String MALFORMED = "Malformed XML";
  private static final int LARGEST = 64 * 1024;
  private static final int DEEPEST = 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final Set<String> ENCODINGS = Set.of("utf-8", "us-ascii");

  private final XMLStreamReader xml;

  private XmlParser(XMLStreamReader xml) {
    this.xml = xml;
  }

  /** One for each document: the platform does not promise that threads may share one. */
  private static XMLInputFactory factory() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("nothing outside the document is read");
        });
    return factory;
  }

  /** The root element of a client's document, which must have this name. */
  static XmlElement parse(byte[] document, String root) {
    if (document.length > LARGEST) {
      throw malformed(document.length + " bytes are more than the " + LARGEST + " allowed");
    }
    String text = decode(document);
    if (text.isBlank()) {
      throw malformed("it is empty; a " + root + " element is expected");
    }
    XmlElement element = parse(text);
    if (!element.isNamed(root)) {
      throw malformed(
          "the root element is '" + Quoted.of(element.name()) + "'; it must be " + root);
    }
    return element;
  }

  private static String decode(byte[] document) {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document)).toString();
      return text.indexOf(BYTE_ORDER_MARK) == 0 ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw malformed("it is not UTF-8");
    }
  }

  private static XmlElement parse(String text) {
    try {
      XMLStreamReader xml = factory().createXMLStreamReader(new StringReader(text));
      try {
        return new XmlParser(xml).document();
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      throw malformed("it is not well-formed" + position(e));
    }
  }

  private static String position(XMLStreamException e) {
    return e.getLocation() == null
        ? ""
        : " at line "
            + e.getLocation().getLineNumber()
            + ", column "
            + e.getLocation().getColumnNumber();
  }

  private XmlElement document() throws XMLStreamException {
    String encoding = xml.getCharacterEncodingScheme();
    if (encoding != null && !ENCODINGS.contains(encoding.toLowerCase(Locale.ROOT))) {
      throw malformed("it declares the encoding '" + Quoted.of(encoding) + "'; use UTF-8");
    }
    XmlElement root = null;
    while (xml.hasNext()) {
      int event = xml.next();
      refuseDeclarations(event);
      if (event == XMLStreamConstants.START_ELEMENT) {
        root = element(1);
      }
    }
    return root;
  }

  /** What follows the start of an element, up to its end. */
  private XmlElement element(int depth) throws XMLStreamException {
    if (depth > DEEPEST) {
      throw malformed("it is nested deeper than " + DEEPEST + " levels");
    }
    String name = xml.getLocalName();
    StringBuilder text = new StringBuilder();
    List<XmlElement> children = new ArrayList<>();
    for (int event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
      refuseDeclarations(event);
      if (event == XMLStreamConstants.START_ELEMENT) {
        boolean nil = isNil();
        XmlElement child = element(depth + 1);
        if (!nil) {
          children.add(child);
        }
      } else if (xml.hasText() && event != XMLStreamConstants.COMMENT) {
        text.append(xml.getText());
      }
    }
    return new XmlElement(name, text.toString().strip(), children);
  }

  private boolean isNil() {
    String nil = xml.getAttributeValue(ClassicXml.INSTANCE_NAMESPACE, "nil");
    return "true".equals(nil) || "1".equals(nil);
  }

  private static void refuseDeclarations(int event) {
    if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
      throw malformed("document types and entities of one's own are not allowed");
    }
  }

  private static JobException malformed(String reason) {
    return JobException.invalid(MALFORMED + ": " + reason);
  }
}
