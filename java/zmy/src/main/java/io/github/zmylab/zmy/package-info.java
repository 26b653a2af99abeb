/**
 * User surface of the ZMY native format.
 *
 * <p>Types come from {@code zmy gen -lang java}: a record {@code Order} with {@code Order.CODEC}, a
 * {@link io.github.zmylab.zmy.Codec} that marshals and unmarshals it, and {@code OrderView}, which
 * reads a message in place. {@link io.github.zmylab.zmy.Envelope}, {@link
 * io.github.zmylab.zmy.StreamWriter} and {@link io.github.zmylab.zmy.StreamReader} put around
 * messages what a reader needs who does not know them by context.
 *
 * <p>The bytes are described in {@code spec/FORMAT.md} and {@code spec/ENVELOPE.md}; names of error
 * codes, offsets and paths are the same in every language. Bytes from anywhere may be read: whatever
 * is no message is refused by a {@link io.github.zmylab.zmy.ZmyException}, and memory stays within
 * the budget of {@link io.github.zmylab.zmy.DecodeOptions}.
 */
@NullMarked
package io.github.zmylab.zmy;

import org.jspecify.annotations.NullMarked;
