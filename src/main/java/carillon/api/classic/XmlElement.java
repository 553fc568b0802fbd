package carillon.api.classic;

import carillon.job.name.JobException;
import carillon.job.name.Quoted;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Element of a client's XML document. Namespaces do not count, and neither does the case of names:
 * clients of the retired service differ in both.
 *
 * <p>The parser reads nothing outside the document. It refuses document types, entity definitions,
 * encodings other than UTF-8, nesting deeper than {@value #MAX_DEPTH} and more than {@value
 * #MAX_BYTES} bytes with INVALID.
 */
final class XmlElement {
  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_DEPTH = 16;
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final Set<String> ENCODINGS = Set.of("utf-8", "us-ascii");
  private static final String NO_DOCUMENT_TYPE =
      "http://apache.org/xml/features/disallow-doctype-decl";

  private final Element element;

  private XmlElement(Element element) {
    this.element = element;
  }

  /** The root element of a client's document, which must have this name. */
  static XmlElement parse(byte[] document, String root) {
    if (document.length > MAX_BYTES) {
      throw malformed(document.length + " bytes are more than the " + MAX_BYTES + " allowed");
    }
    String text = decode(document);
    if (text.isBlank()) {
      throw malformed("it is empty; a " + root + " element is expected");
    }
    Document parsed = parse(text);
    String encoding = parsed.getXmlEncoding();
    if (encoding != null && !ENCODINGS.contains(encoding.toLowerCase(Locale.ROOT))) {
      throw malformed("it declares the encoding '" + Quoted.of(encoding) + "'; use UTF-8");
    }
    XmlElement element = new XmlElement(parsed.getDocumentElement());
    element.checkDepth(1);
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

  private static Document parse(String text) {
    try {
      return parser().parse(new InputSource(new StringReader(text)));
    } catch (SAXParseException e) {
      throw malformed(
          String.valueOf(e.getMessage()).contains(NO_DOCUMENT_TYPE)
              ? "document types and entities of one's own are not allowed"
              : "it is not well-formed at line "
                  + e.getLineNumber()
                  + ", column "
                  + e.getColumnNumber());
    } catch (SAXException | IOException e) {
      throw malformed("it is not well-formed");
    }
  }

  /**
   * Returns a parser for one document: the platform does not promise that threads may share one.
   */
  private static DocumentBuilder parser() {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
    try {
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature(NO_DOCUMENT_TYPE, true);
      factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
      factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      factory.setXIncludeAware(false);
      factory.setExpandEntityReferences(false);
      DocumentBuilder parser = factory.newDocumentBuilder();
      parser.setErrorHandler(new DefaultHandler());
      return parser;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the platform's own parser knows these features", e);
    }
  }

  private void checkDepth(int depth) {
    if (depth > MAX_DEPTH) {
      throw malformed("it is nested deeper than " + MAX_DEPTH + " levels");
    }
    elements().forEach(child -> child.checkDepth(depth + 1));
  }

  private static JobException malformed(String reason) {
    return JobException.invalid("Malformed XML: " + reason);
  }

  private Stream<Node> nodes() {
    return Stream.iterate(element.getFirstChild(), node -> node != null, Node::getNextSibling);
  }

  private Stream<XmlElement> elements() {
    return nodes().filter(Element.class::isInstance).map(node -> new XmlElement((Element) node));
  }

  /** The name of the element as written, without its prefix. */
  private String name() {
    return element.getLocalName();
  }

  private boolean isNamed(String wanted) {
    return name().toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT));
  }

  private boolean isNil() {
    String nil = element.getAttributeNS(ClassicXmlWriter.INSTANCE_NAMESPACE, "nil");
    return nil.equals("true") || nil.equals("1");
  }

  /** The text directly within, without surrounding white space. */
  String text() {
    StringBuilder text = new StringBuilder();
    nodes().filter(Text.class::isInstance).forEach(node -> text.append(node.getNodeValue()));
    return text.toString().strip();
  }

  /** The only child of this name. One that is nil ({@code xsi:nil="true"}) counts as absent. */
  Optional<XmlElement> child(String wanted) {
    List<XmlElement> found =
        elements().filter(child -> child.isNamed(wanted) && !child.isNil()).toList();
    if (found.size() > 1) {
      throw JobException.invalid(wanted + ": is given twice");
    }
    return found.stream().findFirst();
  }

  /** The text of a child. An empty element counts as absent. */
  Optional<String> text(String child) {
    return child(child).map(XmlElement::text).filter(value -> !value.isEmpty());
  }

  /** Returns the text of a required child, of at most {@code maxLength} characters. */
  String requiredText(String child, int maxLength) {
    String value =
        text(child).orElseThrow(() -> JobException.invalid(child + ": is missing or empty"));
    if (value.length() > maxLength) {
      throw JobException.invalid(
          child
              + ": "
              + value.length()
              + " characters are more than the "
              + maxLength
              + " allowed");
    }
    return value;
  }
}
