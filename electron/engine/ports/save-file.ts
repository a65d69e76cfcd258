/**
 * Writes a file completely, under a temporary name first; a failure leaves the existing file. Replaces an existing file. Throws
 * `manifest.not-saved`, or `manifest.file-in-use` when another program has the existing file open.
 */
export type SaveFile = (path: string, pieces: Iterable<Uint8Array>) => Promise<void>;
