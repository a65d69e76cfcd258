/** The part of a file that can contain tags, in a form that its parser reads as a complete file. */
export interface MediaCut {
  /** Which parser reads it. `sound`: also videos. */
  reader: 'sound' | 'picture';
  /** The media type of the bytes, by their own format. */
  type: string;
  bytes: Uint8Array;
  /** A QuickTime file: many cameras write their local time into its index, instead of UTC. */
  isQuickTime?: boolean;
  /** The names of values that the file only numbers. */
  keys?: readonly string[];
  /** The container's time of recording, if the parser does not read it; epoch milliseconds. */
  recordedMs?: number;
}
