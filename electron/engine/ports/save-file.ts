/**
 * Writes a file completely, or leaves what is there: under a temporary name first. Replaces an existing file. Throws
 * `manifest.not-saved`.
 */
export type SaveFile = (path: string, pieces: Iterable<Uint8Array>) => Promise<void>;
