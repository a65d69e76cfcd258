/** The properties of a path that are known without reading its bytes. */
export interface FileFacts {
  kind: 'file' | 'folder' | 'other';
  sizeBytes: number;
  /** Epoch milliseconds, as precise as in the file system. */
  mtimeMs: number;
  /** Device and inode, `dev:ino`: unchanged while a file is renamed or moved on its disk. */
  identity: string;
  /** True when the file belongs to this user and its owner may read it; otherwise only `assertReadable` can decide. */
  isOwnReadable?: boolean;
  /** Reading the bytes probably downloads the file from a cloud; absent for other files. */
  isOnlyInCloud?: true;
}

/** A file opened for reading. */
export interface OpenFile {
  /**
   * Reads up to `length` bytes at `position` into `buffer` from `offset` on; returns the number of bytes, 0 at the end.
   */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  facts(): Promise<FileFacts>;
  /** Returns the current path of the file, without links; null when the system does not report it, or there is none. */
  path(): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * Local files, read-only. Methods throw `AppError`: `file.missing`, `file.link-broken`, `file.not-regular`,
 * `file.unreadable`, `file.locked`, `file.too-many-open`, `file.disk-error`; some also `file.disk-hangs`. Those of `within` also
 * throw `file.is-link`.
 */
export interface Files {
  /** Follows symbolic links. */
  facts(path: string): Promise<FileFacts>;
  /** Opens a regular file; never blocks on a pipe or device. */
  open(path: string): Promise<OpenFile>;
  /** Checks that the bytes may be read, without reading them. */
  assertReadable(path: string): Promise<void>;
  /** Names in a folder, unsorted. */
  list(folder: string): Promise<string[]>;
  /**
   * Returns the same files, without following links below `root`, the file or folder that the user chose: a path with a link below
   * it is an error. `root` may itself be a link or contain some. Paths that are not below it are followed.
   */
  within(root: string): Files;
}
