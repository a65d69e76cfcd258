import type { Bytes } from '../bytes/bounded-bytes.ts';

/** The bytes of a FLAC file that contain the information about its stream. */
export const FLAC_INFO_BYTES = 42;

/** The information about the stream of a FLAC file, which is always its first block. */
export interface FlacInfo {
  /** The maximum number of samples of a block. */
  mostBlock: number;
  sampleRate: number;
  channels: number;
  sampleBits: number;
  /** 0: not known when the header was written. */
  samples: number;
}

/** Reads the beginning of a FLAC file (`FLAC_INFO_BYTES`); null when it is not complete, or another block is the first. */
export function flacInfo(start: Bytes): FlacInfo | null {
  if (start.length < FLAC_INFO_BYTES || (start.byte(4) & 0x7f) !== 0) return null;
  return {
    mostBlock: start.uint16(10),
    sampleRate: start.uint32(18) >>> 12,
    channels: ((start.byte(20) >> 1) & 7) + 1,
    sampleBits: (((start.byte(20) & 1) << 4) | (start.byte(21) >> 4)) + 1,
    samples: (start.byte(21) & 0xf) * 2 ** 32 + start.uint32(22),
  };
}
