/**
 * Writes a file completely, under a temporary name first; a failure leaves the existing file. Replaces an existing file, unless
 * `isNew`. Throws `manifest.not-saved`, `manifest.file-in-use` when another program has the existing file open,
 * `manifest.file-exists` with `isNew`, and every `AppError` of `pieces`.
 */
export type SaveFile = (
  path: string,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  options?: { isNew?: boolean },
) => Promise<void>;
