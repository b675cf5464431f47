package org.sparkcollectives.tools.draw;

/** A part of a picture. */
interface Panel {

  double width();

  double height();

  /** Draws with the upper left corner at a place. */
  void draw(Svg svg, double left, double top);
}
