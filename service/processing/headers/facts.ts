/** What a file's bytes say about it. */
export interface Facts {
  /** Short name of the format: `wav`, `mp4`, `png` … */
  format: string;
  kind: 'video' | 'audio' | 'image' | 'doc';
  width: number | null;
  height: number | null;
  /** Seconds, with fractions. */
  durationS: number | null;
  /** Bits per second. */
  bitrate: number | null;
}

export function facts(format: string, kind: Facts['kind'], known: Partial<Facts> = {}): Facts {
  return { format, kind, width: null, height: null, durationS: null, bitrate: null, ...known };
}

/** Bytes that claim to be of a format and are not whole or not right. */
export class BrokenFile extends Error {}
