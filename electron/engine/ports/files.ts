/** What is known of a path without reading the bytes. */
export interface FileFacts {
  kind: 'file' | 'folder' | 'other';
  sizeBytes: number;
  /** Epoch milliseconds, as precise as the file system stores it. */
  mtimeMs: number;
  /** Device and inode, `dev:ino`: the same while a file is renamed or moved on its disk. */
  identity: string;
  /** True when the file is this user's own and may be read by its owner; otherwise only `assertReadable` knows. */
  isOwnReadable?: boolean;
}

/** A file opened for reading. */
export interface OpenFile {
  /** Reads up to `length` bytes at `position` into `buffer` from `offset` on; returns how many, 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  facts(): Promise<FileFacts>;
  /** The path that leads to it now, without links; null where the system does not report it, or none is left. */
  path(): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Local files, read only. Methods throw `AppError`: `file.missing`, `file.link-broken`, `file.not-regular`,
 * `file.unreadable`, `file.locked`, `file.too-many-open`, `file.disk-error`; some also `file.disk-hangs`.
 */
export interface Files {
  /** Follows symbolic links. */
  facts(path: string): Promise<FileFacts>;
  /** Opens a regular file; never blocks on a pipe or device. */
  open(path: string): Promise<OpenFile>;
  /** Whether the bytes may be read, without reading them. */
  assertReadable(path: string): Promise<void>;
  /** Names in a folder, unsorted. */
  list(folder: string): Promise<string[]>;
}
