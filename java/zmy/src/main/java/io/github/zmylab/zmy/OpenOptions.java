package io.github.zmylab.zmy;

import java.util.List;

/**
 * How envelopes and streams are opened.
 *
 * @param decode limits; those of messages inside too
 * @param compressors what may decompress; others are refused
 * @param needChecksum refuse those without a checksum
 */
public record OpenOptions(DecodeOptions decode, List<Compressor> compressors, boolean needChecksum) {
  /** Default limits, no compression. */
  public static final OpenOptions DEFAULT = new OpenOptions(DecodeOptions.DEFAULT, List.of(), false);

  /** Nulls become the defaults; a compressor that does nothing is refused. */
  public OpenOptions {
    decode = decode == null ? DecodeOptions.DEFAULT : decode;
    compressors = compressors == null ? List.of() : List.copyOf(compressors);
    compressors.forEach(Frames::checkId);
  }

  void check(Frames.Header h) throws ZmyException {
    if (needChecksum && !h.has(Frames.CHECKSUM)) {
      throw Frames.fail(ErrorCode.CHECKSUM, 4, "there is none");
    }
  }

  /** The limits of a message of so many bytes that was checked against maxRaw before. */
  DecodeOptions message(int length) {
    return decode.ofLength(length);
  }
}
