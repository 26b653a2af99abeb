package io.github.zmylab.zmy.wire;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ErrorCode;
import io.github.zmylab.zmy.ZmyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A struct that is read in place. Generated code has a subclass for each type, with a method for
 * each field. The bytes must stay unchanged while the view is in use. A view can be opened again
 * for another struct, so that no view is allocated for it. Once it is open, many threads may read
 * it.
 */
public abstract class StructView {
  private static final byte[] NOTHING = new byte[0];

  final Layout layout; // the fields of the type
  byte @Nullable [] a = NOTHING;
  @Nullable ByteBuffer d;
  int from;
  int to;
  int h; // header
  int head; // 4, or 0 if a list shares the header
  int at; // where the scalars start
  int scalars; // bytes of the scalars
  int tails; // number of tails
  int es; // size of a word
  private @Nullable ErrorCode error;

  /** A view of the zero value of a type with these fields. */
  protected StructView(Layout layout) {
    this.layout = layout;
  }

  /**
   * The fault of the struct, if the view was opened inside a message that had not been verified:
   * the view then reads as the zero value. Null if there is none.
   */
  public final @Nullable ErrorCode error() {
    return error;
  }

  /** Opens the message that is [from, to) of an array. Only this one struct is checked. */
  protected final void openMessage(byte[] b, int from, int to) throws ZmyException {
    Objects.checkFromToIndex(from, to, b.length);
    a = b;
    d = null;
    check(from, to);
  }

  /** Opens the message that is the remaining bytes of a buffer. */
  protected final void openMessage(ByteBuffer b) throws ZmyException {
    if (b.hasArray()) {
      int shift = b.arrayOffset();
      openMessage(b.array(), shift + b.position(), shift + b.limit());
      return;
    }
    a = null;
    d = b.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    check(b.position(), b.limit());
  }

  private void check(int from, int to) throws ZmyException {
    ErrorCode c = open(from, to, to - from < 4 ? 0 : Le.i32(a, d, from), 4);
    if (c != null) {
      throw new ZmyException(c, c == ErrorCode.TRUNCATED ? to - from : 0, "");
    }
  }

  /**
   * Opens the bytes [from, to) of this view's memory. After a fault, which is kept, the view reads
   * as zero.
   */
  @Nullable ErrorCode open(int from, int to, int h, int head) {
    Layout t = layout;
    error = to - from < head ? ErrorCode.TRUNCATED : null;
    if (error == null) {
      error = t.sparse ? t.checkSparse(a, d, from, to, h) : t.check(a, d, from, to, h, head);
    }
    if (error != null) {
      zero();
      return error;
    }
    this.from = from;
    this.to = to;
    this.h = h;
    this.head = head;
    scalars = h & Layout.MAX_SECTION;
    tails = h >> 14 & Layout.MAX_SECTION;
    es = Layout.wordSize(to - from);
    at = t.sparse ? from + 5 + (Le.i8(a, d, from + 4) & 0xff) : from + head;
    return null;
  }

  /** Opens a slot of another view's memory; the zero value if the slot is empty. */
  void openSlot(StructView v, int lo, int hi) {
    a = v.a;
    d = v.d;
    if (lo == hi) {
      error = null;
      zero();
      return;
    }
    open(lo, hi, hi - lo < 4 ? 0 : Le.i32(a, d, lo), 4);
  }

  private void zero() {
    from = 0;
    to = 0;
    scalars = 0;
    tails = 0;
  }

  /** Reads all fields. */
  protected final <T> T read(StructCodec<T> codec) throws ZmyException {
    if (from == to) {
      return codec.zero();
    }
    DecodeOptions o = DecodeOptions.DEFAULT.ofLength(to - from);
    return codec.read(new Decoder(a, d, from, to, o), from, to, h, head, 1);
  }
}
