package org.sparkcollectives.spark.internal.rendezvous;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;

/** What the driver makes of the shapes that all ranks bring. */
public final class Shapes {
  /**
   * Which part of all elements sparse vectors may take on average. What two have in common is not
   * known, and a sum that becomes dense on the way does so at the cost of some speed; one that is
   * made dense too early may cost the memory that there is.
   */
  private static final long SPARSE_PART = 4;

  /** What sparse vectors may take together, so that their sum is one message of objects. */
  private static final long MOST_SPARSE_BYTES = (1L << 31) - 1024;

  private Shapes() {}

  /** Why vectors cannot be combined, or null if they can. */
  static @Nullable CollectiveException refusal(String operation, List<Shape> shapes, long most) {
    boolean sparse = sparse(shapes);
    for (Shape shape : shapes) {
      long bytes = shape.sparse() && !sparse ? denseBytes(shape) : shape.bytes();
      if (bytes > most) {
        return RendezvousErrors.vectorTooLarge(operation, shape.partition(), bytes, most);
      }
    }
    long kinds = shapes.stream().map(s -> s.type() + " " + s.length()).distinct().count();
    return kinds <= 1 ? null : RendezvousErrors.shapesDiffer(operation, forPeople(shapes));
  }

  /**
   * Whether some vectors are sparse, and all together take little of what all elements would, and
   * no more than a message may.
   *
   * @param shapes what ranks bring
   * @return true if their sum is that of sparse vectors, each an object
   */
  public static boolean sparse(List<Shape> shapes) {
    long held = shapes.stream().mapToLong(Shape::bytes).sum();
    long whole = shapes.stream().mapToLong(Shapes::denseBytes).sum();
    return shapes.stream().anyMatch(Shape::sparse)
        && held < whole / SPARSE_PART
        && held <= MOST_SPARSE_BYTES;
  }

  /**
   * What all elements of a vector of doubles take.
   *
   * @param shape its shape
   * @return how many bytes, kept or not
   */
  public static long denseBytes(Shape shape) {
    return (long) shape.length() * Double.BYTES;
  }

  /** All partitions, those that differ from the most first. */
  private static List<String> forPeople(List<Shape> shapes) {
    Shape first = shapes.get(0);
    List<String> odd = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (Shape shape : shapes) {
      boolean alike = shape.type().equals(first.type()) && shape.length() == first.length();
      (alike ? same : odd).add(shape.toString());
    }
    List<String> named = new ArrayList<>(List.of(same.get(0)));
    named.addAll(odd);
    named.addAll(same.subList(1, same.size()));
    return named;
  }
}
