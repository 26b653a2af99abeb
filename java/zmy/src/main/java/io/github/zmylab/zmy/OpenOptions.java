package io.github.zmylab.zmy;

import java.util.List;

/**
 * Options of envelopes and streams that are read.
 *
 * @param decode limits, of the messages inside too
 * @param compressors the compressors that may be used; bodies that need another are refused
 * @param needChecksum refuses envelopes and streams without a checksum
 */
public record OpenOptions(DecodeOptions decode, List<Compressor> compressors, boolean needChecksum) {
  /** Default limits, no compression. */
  public static final OpenOptions DEFAULT = new OpenOptions(DecodeOptions.DEFAULT, List.of(), false);

  /** Sets the defaults for nulls, and refuses a compressor whose id is NONE. */
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
}
