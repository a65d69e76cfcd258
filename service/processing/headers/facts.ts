/** The facts about a file that its bytes contain. */
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

/** The bytes claim a format, but are incomplete or invalid. */
export class BrokenFile extends Error {}
