package org.sparkcollectives.internal.draw;

/** A part of a picture. */
interface Panel {

  double width();

  double height();

  /** Draws with the upper left corner at a place. */
  void draw(SvgDocument svg, double left, double top);
}
