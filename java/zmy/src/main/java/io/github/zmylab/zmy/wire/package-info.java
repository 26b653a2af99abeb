/**
 * The library of generated code: bytes, slots and structs of the format.
 *
 * <p>A {@link io.github.zmylab.zmy.wire.Slot} reads, verifies and writes a tail, a {@link
 * io.github.zmylab.zmy.wire.Fixed} a scalar, a {@link io.github.zmylab.zmy.wire.StructCodec} a
 * struct. Slots are composed as types are: {@code Slots.map(Slots.STRING,
 * Slots.list(Slots.BYTES))}. The order of checks is that of spec/FORMAT.md, section 10.
 */
@NullMarked
package io.github.zmylab.zmy.wire;

import org.jspecify.annotations.NullMarked;
