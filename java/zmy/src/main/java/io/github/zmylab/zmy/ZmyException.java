package io.github.zmylab.zmy;

/**
 * Bytes are no message of the type, or a value has no encoding. The exception has the kind of the
 * fault ({@link #code()}), its place in the message ({@link #offset()}) and its field ({@link
 * #path()}).
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
   * @param offset bytes from the start of the message or stream; -1 for a value that is written
   * @param detail more for the text, or ""
   */
  public ZmyException(ErrorCode code, long offset, String detail) {
    this.code = code;
    this.offset = offset;
    this.detail = detail;
  }

  /** The kind of the fault. */
  public ErrorCode code() {
    return code;
  }

  /**
   * The place of the fault, in bytes from the start of the message; -1 for a value that is written.
   */
  public long offset() {
    return offset;
  }

  /**
   * The field of the fault, in the names of the schema: {@code Items[3].Price}; "" for the message
   * itself.
   */
  public String path() {
    return path;
  }

  /**
   * Puts a step in front of the path: a field, {@code [3]} or {@code ["key"]}. Generated code calls
   * it where it catches the exception, so that calls without one pay nothing for the path.
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
