package carillon.api.classic;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writer of compact XML into memory, as the retired service did: without an XML declaration. */
final class XmlOut {
  private static final int INITIAL_CAPACITY = 1024;

  private final XMLStreamWriter xml;

  private XmlOut(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /** Content of an element. */
  interface XmlContent {
    void writeTo(XmlOut xml) throws XMLStreamException;
  }

  /** A document with this root, in UTF-8. */
  static byte[] of(String root, XmlContent content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(INITIAL_CAPACITY);
    try {
      XMLStreamWriter xml =
          XMLOutputFactory.newDefaultFactory()
              .createXMLStreamWriter(out, StandardCharsets.UTF_8.name());
      xml.writeStartElement(root);
      xml.writeDefaultNamespace(ClassicXmlWriter.NAMESPACE);
      xml.writeNamespace("i", ClassicXmlWriter.INSTANCE_NAMESPACE);
      content.writeTo(new XmlOut(xml));
      xml.writeEndElement();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("memory cannot be written to", e);
    }
    return out.toByteArray();
  }

  /** An element with others inside. */
  void element(String name, XmlContent content) throws XMLStreamException {
    xml.writeStartElement(name);
    content.writeTo(this);
    xml.writeEndElement();
  }

  /** An element with a text. Characters that XML has no way to write become U+FFFD. */
  void text(String name, String text) throws XMLStreamException {
    xml.writeStartElement(name);
    xml.writeCharacters(writable(text));
    xml.writeEndElement();
  }

  void empty(String name) throws XMLStreamException {
    xml.writeEmptyElement(name);
  }

  void nil(String name) throws XMLStreamException {
    xml.writeEmptyElement(name);
    xml.writeAttribute("i:nil", "true");
  }

  private static String writable(String text) {
    if (text.codePoints().allMatch(XmlOut::isWritable)) {
      return text;
    }
    return text.codePoints()
        .map(c -> isWritable(c) ? c : 0xFFFD)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** The Char production of XML 1.0. */
  private static boolean isWritable(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
