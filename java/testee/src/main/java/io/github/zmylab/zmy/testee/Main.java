package io.github.zmylab.zmy.testee;

import io.github.zmylab.zmy.DecodeOptions;
import io.github.zmylab.zmy.ZmyException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Reads messages for the conformance runner, by the protocol of spec/CONFORMANCE.md: requests on
 * standard input, responses on standard output.
 */
public final class Main {
  private Main() {}

  private static final int PIPE = 1 << 16; // bytes that travel together
  private static final int ACCEPTED = 0;
  private static final int REFUSED = 1;
  private static final int UNSUPPORTED = 2;

  /** Answers requests until the input ends. */
  public static void main(String[] args) throws IOException {
    serve(System.in, System.out);
  }

  static void serve(InputStream input, OutputStream output) throws IOException {
    Ahead ahead = new Ahead(input);
    DataInputStream in = new DataInputStream(ahead);
    OutputStream out = new BufferedOutputStream(output, PIPE);
    byte[] head = new byte[4];
    for (; ; ) {
      try {
        in.readFully(head);
      } catch (EOFException e) {
        return;
      }
      byte[] request = new byte[ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt()];
      in.readFully(request);
      byte[] response = answer(request);
      out.write(ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).putInt(response.length).array());
      out.write(response);
      if (ahead.isEmpty()) {
        out.flush(); // nothing more to read at once
      }
    }
  }

  /** Knows whether there is more to read without asking for it. */
  private static final class Ahead extends BufferedInputStream {
    Ahead(InputStream in) {
      super(in, PIPE);
    }

    boolean isEmpty() {
      return pos >= count;
    }
  }

  private static byte[] answer(byte[] request) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (request.length == 1 && request[0] == 0) {
      out.write(ACCEPTED);
      out.writeBytes(
          Arrays.stream(Mode.values())
              .map(m -> m.name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining("\n"))
              .getBytes(StandardCharsets.UTF_8));
      return out.toByteArray();
    }
    try {
      answer(request, out);
    } catch (BufferUnderflowException e) {
      unsupported(out, "request too short");
    }
    return out.toByteArray();
  }

  private static void unsupported(ByteArrayOutputStream out, String why) {
    out.reset();
    out.write(UNSUPPORTED);
    out.writeBytes(why.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(byte[] request, ByteArrayOutputStream out) throws IOException {
    ByteBuffer r = ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN);
    int mode = r.get() & 0xff;
    byte[] name = new byte[r.get() & 0xff];
    r.get(name);
    DecodeOptions limits = new DecodeOptions(limit(r), limit(r), limit(r), limit64(r), r.get() == 1);
    byte[] input = new byte[r.remaining()];
    r.get(input);
    if (mode < 1 || mode > Mode.values().length) {
      unsupported(out, "no mode " + mode);
      return;
    }
    String reader = new String(name, StandardCharsets.UTF_8);
    try {
      Mode.Accepted v = Mode.values()[mode - 1].run(reader, input, limits);
      if (v == null) {
        unsupported(out, "no reader " + reader);
        return;
      }
      out.write(ACCEPTED);
      out.writeBytes(number(v.again().length));
      out.writeBytes(v.again());
      out.writeBytes(v.fields().getBytes(StandardCharsets.UTF_8));
    } catch (ZmyException e) {
      byte[] code = e.code().name().getBytes(StandardCharsets.UTF_8);
      boolean frame = reader.equals("envelope") || reader.equals("stream");
      out.reset();
      out.write(REFUSED);
      out.write(code.length);
      out.writeBytes(code);
      out.writeBytes(number(frame ? 0 : (int) e.offset()));
      out.writeBytes(e.path().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static int limit(ByteBuffer r) {
    int n = r.getInt();
    return n < 0 ? Integer.MAX_VALUE : n;
  }

  private static long limit64(ByteBuffer r) {
    long n = r.getLong();
    return n < 0 ? Long.MAX_VALUE : n;
  }

  private static byte[] number(int n) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(n).array();
  }
}
