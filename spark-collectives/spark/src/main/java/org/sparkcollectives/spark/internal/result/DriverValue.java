package org.sparkcollectives.spark.internal.result;

import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.BroadcastBlockId;
import scala.Option;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A value that the driver holds while a job runs. A rank that reads it does not keep it, for the
 * driver's removal of it may come before that.
 */
public final class DriverValue {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  private DriverValue() {}

  /**
   * Reads a value that must be there.
   *
   * @param id its number
   * @return the value
   * @throws org.sparkcollectives.error.CollectiveException if the driver does not hold it any more
   */
  public static Object read(long id) {
    BroadcastBlockId block = new BroadcastBlockId(id, "");
    Option<BlockResult> found = SparkEnv.get().blockManager().get(block, ANY);
    if (found.isEmpty()) {
      throw ResultErrors.valueLost("broadcast " + id);
    }
    Iterator<Object> data = found.get().data();
    Object value = data.next();
    while (data.hasNext()) { // whose end gives the block's lock back
      data.next();
    }
    return value;
  }
}
