package org.sparkcollectives.internal.draw;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/** An SVG document under construction. Coordinates are pixels, y grows downwards. */
final class SvgDocument {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";
  private static final String NEWLINE = "\n";

  /**
   * An element without children.
   *
   * @param name its name
   * @param attributes names and values in turns
   * @param text its text, or null
   */
  private record Element(String name, List<String> attributes, @Nullable String text) {}

  private final List<Element> elements = new ArrayList<>();

  /** A rectangle with rounded corners. */
  void rect(String style, double x, double y, double width, double height, double radius) {
    List<String> attributes =
        new ArrayList<>(
            List.of(
                "class",
                style,
                "x",
                text(x),
                "y",
                text(y),
                "width",
                text(width),
                "height",
                text(height)));
    if (radius > 0) {
      attributes.addAll(List.of("rx", text(radius)));
    }
    elements.add(new Element("rect", attributes, null));
  }

  void circle(String style, double x, double y, double radius) {
    elements.add(
        new Element(
            "circle",
            List.of("class", style, "cx", text(x), "cy", text(y), "r", text(radius)),
            null));
  }

  /** Text; the style says what part of it is at the place given. */
  void text(String style, double x, double y, String text) {
    elements.add(new Element("text", List.of("class", style, "x", text(x), "y", text(y)), text));
  }

  /** Lines; nothing if there are none. */
  void path(String style, CharSequence path) {
    if (path.length() > 0) {
      elements.add(new Element("path", List.of("class", style, "d", path.toString()), null));
    }
  }

  /** A number with one decimal at most. */
  static String text(double number) {
    BigDecimal rounded =
        BigDecimal.valueOf(number).setScale(1, RoundingMode.HALF_UP).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /** Appends a straight line to a path. */
  static void line(StringBuilder path, double x0, double y0, double x1, double y1) {
    path.append('M').append(text(x0)).append(' ').append(text(y0));
    path.append('L').append(text(x1)).append(' ').append(text(y1));
  }

  /** Appends an arrow's head, a triangle whose tip is where the line ends. */
  static void head(StringBuilder path, double x0, double y0, double x1, double y1, double length) {
    double norm = Math.max(1e-9, Math.hypot(x1 - x0, y1 - y0));
    double dx = (x1 - x0) / norm * length;
    double dy = (y1 - y0) / norm * length;
    line(path, x1, y1, x1 - dx - dy * 0.45, y1 - dy + dx * 0.45);
    path.append('L').append(text(x1 - dx + dy * 0.45));
    path.append(' ').append(text(y1 - dy - dx * 0.45)).append('Z');
  }

  /**
   * Writes the document. The same content gives the same text.
   *
   * @param out takes it
   * @param width the picture's width
   * @param height the picture's height
   * @param title what it is
   * @param description what it shows
   */
  void write(Writer out, double width, double height, String title, String description)
      throws IOException {
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
      xml.writeStartElement("svg");
      xml.writeDefaultNamespace(NAMESPACE);
      String w = text(Math.ceil(width));
      String h = text(Math.ceil(height));
      for (String[] attribute :
          new String[][] {
            {"width", w},
            {"height", h},
            {"viewBox", "0 0 " + w + " " + h},
            {"role", "img"},
            {"aria-labelledby", "title desc"}
          }) {
        xml.writeAttribute(attribute[0], attribute[1]);
      }
      xml.writeCharacters(NEWLINE);
      write(xml, new Element("title", List.of("id", "title"), title));
      write(xml, new Element("desc", List.of("id", "desc"), description));
      write(xml, new Element("style", List.of(), StyleSheet.sheet(used())));
      for (Element element : elements) {
        write(xml, element);
      }
      xml.writeEndElement();
      xml.writeCharacters(NEWLINE);
      xml.flush();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  private Set<String> used() {
    Set<String> used = new HashSet<>();
    for (Element element : elements) {
      used.addAll(List.of(element.attributes().get(1).split(" ", -1)));
    }
    return used;
  }

  private static void write(XMLStreamWriter xml, Element element) throws XMLStreamException {
    if (element.text() == null) {
      xml.writeEmptyElement(element.name());
    } else {
      xml.writeStartElement(element.name());
    }
    for (int i = 0; i < element.attributes().size(); i += 2) {
      xml.writeAttribute(element.attributes().get(i), element.attributes().get(i + 1));
    }
    if (element.text() != null) {
      xml.writeCharacters(element.text());
      xml.writeEndElement();
    }
    xml.writeCharacters(NEWLINE);
  }
}
