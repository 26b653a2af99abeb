package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.Compression;
import io.github.zmylab.zmy.Compressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Decompressors for the vectors: LZ4 blocks, and Zstandard frames of stored and repeated bytes. */
final class Stored {
  private Stored() {}

  static final List<Compressor> ALL =
      List.of(compressor(Compression.LZ4, Stored::lz4), compressor(Compression.ZSTD, Stored::zstd));

  private interface Inflate {
    byte[] inflate(byte[] b, int length) throws IOException;
  }

  private static Compressor compressor(Compression id, Inflate inflate) {
    return new Compressor() {
      @Override
      public Compression id() {
        return id;
      }

      @Override
      public byte[] compress(byte[] raw) throws IOException {
        throw new IOException("vectors are not compressed anew");
      }

      @Override
      public byte[] decompress(byte[] compressed, int length) throws IOException {
        try {
          return inflate.inflate(compressed, length);
        } catch (IndexOutOfBoundsException e) {
          throw new IOException("damaged", e);
        }
      }
    };
  }

  private static void check(boolean ok) throws IOException {
    if (!ok) {
      throw new IOException("damaged");
    }
  }

  /** One block: https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md. */
  private static byte[] lz4(byte[] b, int limit) throws IOException {
    byte[] out = new byte[limit];
    int n = 0;
    int[] at = {0};
    for (; ; ) {
      int token = b[at[0]++] & 0xff;
      long length = length(b, at, token >> 4);
      check(length <= b.length - at[0] && length <= limit - n);
      System.arraycopy(b, at[0], out, n, (int) length);
      at[0] += (int) length;
      n += (int) length;
      if (at[0] == b.length) {
        return Arrays.copyOf(out, n);
      }
      int back = b[at[0]++] & 0xff | (b[at[0]++] & 0xff) << 8;
      length = length(b, at, token & 15) + 4;
      check(back > 0 && back <= n && length <= limit - n);
      for (int i = 0; i < length; i++, n++) {
        out[n] = out[n - back];
      }
    }
  }

  private static long length(byte[] b, int[] at, int n) {
    long sum = n;
    for (int more = n < 15 ? 0 : 255; more == 255; sum += more) {
      more = b[at[0]++] & 0xff;
    }
    return sum;
  }

  /** Frames of single segments with one byte of size, of stored and run-length blocks: RFC 8878. */
  private static byte[] zstd(byte[] b, int limit) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int at = 0;
    do {
      boolean magic = b[at] == 0x28 && b[at + 1] == (byte) 0xb5 && b[at + 2] == 0x2f && b[at + 3] == (byte) 0xfd;
      check(magic && b[at + 4] == 0x20);
      int size = b[at + 5] & 0xff;
      at += 6;
      int before = out.size();
      boolean last;
      do {
        int head = b[at] & 0xff | (b[at + 1] & 0xff) << 8 | (b[at + 2] & 0xff) << 16;
        at += 3;
        last = (head & 1) != 0;
        int kind = head >> 1 & 3;
        int n = head >> 3;
        int take = kind == 1 ? 1 : n;
        check(kind <= 1 && take <= b.length - at && n <= limit - out.size());
        for (int i = 0; i < n; i++) {
          out.write(b[at + (kind == 1 ? 0 : i)]);
        }
        at += take;
      } while (!last);
      check(out.size() - before == size);
    } while (at < b.length);
    return out.toByteArray();
  }
}
