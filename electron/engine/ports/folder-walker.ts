/** One entry of a watched folder, as the file system lists it. Links are not followed. */
export interface FolderEntry {
  /** Relative to the root, with `/` between the names. */
  path: string;
  /** `other`: a pipe, socket or device. */
  kind: 'file' | 'link' | 'other';
  sizeBytes: number;
  /** Epoch milliseconds, as precise as the file system stores it. */
  mtimeMs: number;
  /** The number of the file on its volume; prefixed by the device if it is not the device of the root. */
  fileId: string;
  /** Allocated blocks: they grow while a preallocated file is filled. Null where the system does not report them. */
  blocks: number | null;
  /**
   * When the contents or properties of the file changed last (`ctime`), epoch milliseconds: no program can set it. Null where the
   * system does not report it.
   */
  ctimeMs: number | null;
}

interface WalkRequest {
  root: string;
  /** A folder below the root, relative to it; empty for the root itself. */
  from: string;
  /** Whether subfolders are listed, too. */
  isDeep: boolean;
  /** Digests of earlier listings: the files of a folder whose digest is among them are not listed again. */
  known?: ReadonlySet<string>;
}

/** A part of the results of a walk. */
export interface WalkBatch {
  entries: FolderEntry[];
  /** Folders that could not be listed, or not completely, relative to the root: their contents are unknown. */
  unlisted: string[];
  /** Folders whose digest is among the known ones: their files are unchanged. */
  unchanged: string[];
  /** Folders whose files have all been listed, with the digest of their paths and facts. */
  listed: { folder: string; digest: string }[];
}

/** Lists watched folders, with the facts of their files. */
export interface FolderWalker {
  /**
   * Lists everything in a folder, without the contents of hidden and system folders, in batches of at most a few hundred entries;
   * the next batch waits for `onBatch`. A folder that does not exist counts as one that can't be listed. Rejects with the
   * signal's reason, and with `file.disk-hangs` when the file system does not answer.
   */
  walk(request: WalkRequest, onBatch: (batch: WalkBatch) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Returns the path without links. Throws the errors of `Files.facts`. */
  realPath(path: string): Promise<string>;
  /** Returns the entries at these paths (relative to the root); paths without an entry, and folders, are omitted. */
  entriesAt(root: string, paths: readonly string[]): Promise<FolderEntry[]>;
}
