package io.github.zmylab.zmy;

/**
 * Bytes that are no message of the type, or a value that has none: a {@link #code()}, where in the
 * message ({@link #offset()}), and in which field ({@link #path()}).
 */
public final class ZmyException extends Exception {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final long offset;
  private final String detail;
  private String path = "";
  private String type = "";

  /**
   * Makes an exception without path.
   *
   * @param offset bytes from the start of the message or stream; -1 where there is none
   * @param detail more words, or ""
   */
  public ZmyException(ErrorCode code, long offset, String detail) {
    this.code = code;
    this.offset = offset;
    this.detail = detail;
  }

  /** What is wrong. */
  public ErrorCode code() {
    return code;
  }

  /** Where in the message, in bytes from its start; -1 when a value was written. */
  public long offset() {
    return offset;
  }

  /** Which field, in the names of the schema: {@code Items[3].Price}; "" for the message itself. */
  public String path() {
    return path;
  }

  /**
   * Puts the exception inside a step: a field, {@code [3]} or {@code ["key"]}. Generated code calls
   * it on the way out, so that success pays nothing for the path.
   */
  public ZmyException in(String step) {
    if (path.isEmpty()) {
      path = step;
    } else {
      path = path.charAt(0) == '[' ? step + path : step + "." + path;
    }
    return this;
  }

  /** Names the type of the message, for the text. */
  public ZmyException of(String name) {
    type = name;
    return this;
  }

  @Override
  public String getMessage() {
    StringBuilder s = new StringBuilder("zmy: ");
    if (!type.isEmpty()) {
      s.append(type);
      if (!path.isEmpty() && path.charAt(0) != '[') {
        s.append('.');
      }
    }
    s.append(path);
    if (!type.isEmpty() || !path.isEmpty()) {
      s.append(": ");
    }
    s.append(code.text());
    if (offset >= 0) {
      s.append(" at offset ").append(offset);
    }
    if (!detail.isEmpty()) {
      s.append(" (").append(detail).append(')');
    }
    return s.toString();
  }
}
