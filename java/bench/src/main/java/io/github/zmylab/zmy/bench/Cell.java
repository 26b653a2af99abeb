package io.github.zmylab.zmy.bench;

/** One library with the values of one subject, in the library's own classes. */
interface Cell {
  /** Writes value i into memory that is used again, and returns what holds the bytes. */
  Object encode(int i) throws Exception;

  /** Reads the message of value i. */
  Object decode(int i) throws Exception;

  /** The mean length of a message in bytes. */
  double size();

  /** Throws if a value does not come back as it was: a library that loses something is not measured. */
  void check() throws Exception;
}
