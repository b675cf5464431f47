package org.sparkcollectives.vector;

import org.jspecify.annotations.Nullable;

/**
 * Combines objects as wholes.
 *
 * @param operator combines two
 * @param identity makes a neutral one, or null
 * @param <T> the objects' class
 */
record ObjectKernel<T>(
    ReduceOp.SerializableBinaryOperator<T> operator,
    ReduceOp.@Nullable SerializableSupplier<T> identity)
    implements Kernel {
  @Override
  public @Nullable Kernel on(Class<?> arrays) {
    return null;
  }

  @Override
  public String accepts() {
    return "objects of one class";
  }

  @Override
  public boolean onObjects() {
    return true;
  }

  @Override
  public boolean hasIdentity() {
    return identity != null;
  }

  @Override
  public @Nullable Object identityLike(Object shape) {
    return identity == null ? null : identity.get();
  }

  @Override
  @SuppressWarnings({"unchecked", "NullAway"}) // the types are those of the caller's vectors
  public @Nullable Object combineObjects(Object left, Object right) {
    return operator.apply((T) left, (T) right);
  }
}
