/**
 * User surface of the ZMY native format.
 *
 * <p>Types come from {@code zmy gen -lang java}: a record {@code Order} with {@code Order.CODEC}, a
 * {@link io.github.zmylab.zmy.Codec} that marshals and unmarshals it, and {@code OrderView}, which
 * reads a message in place. {@link io.github.zmylab.zmy.Envelope}, {@link
 * io.github.zmylab.zmy.StreamWriter} and {@link io.github.zmylab.zmy.StreamReader} are for messages
 * whose readers do not know them from the context.
 *
 * <p>{@code spec/FORMAT.md} and {@code spec/ENVELOPE.md} specify the bytes. Error codes, offsets
 * and paths are the same in every language. Reading is safe on hostile bytes: bytes that are no
 * message are refused by a {@link io.github.zmylab.zmy.ZmyException}, and memory stays within the
 * budget of {@link io.github.zmylab.zmy.DecodeOptions}.
 */
@NullMarked
package io.github.zmylab.zmy;

import org.jspecify.annotations.NullMarked;
