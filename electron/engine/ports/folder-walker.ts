/** One entry of a watched folder, as the file system lists it. Links are not followed. */
export interface FolderEntry {
  /** Relative to the root, with `/` between the names. */
  path: string;
  /** `other`: a pipe, socket or device. */
  kind: 'file' | 'link' | 'other';
  sizeBytes: number;
  /** Epoch milliseconds, as precise as the file system stores it. */
  mtimeMs: number;
  /** The number of the file on its volume; with the device in front where that is not the device of the root. */
  fileId: string;
  /** Allocated blocks: they grow while a preallocated file is filled. Null where the system does not report them. */
  blocks: number | null;
}

interface WalkRequest {
  root: string;
  /** A folder below the root, relative to it; empty for the root itself. */
  from: string;
  /** Sub-folders too. */
  isDeep: boolean;
  /** Digests of earlier listings: the files of a folder that is still as one of them says are not listed again. */
  known?: ReadonlySet<string>;
}

/** A part of what a walk found. */
export interface WalkBatch {
  entries: FolderEntry[];
  /** Folders that could not be listed, or not completely, relative to the root: what is in them is unknown. */
  unlisted: string[];
  /** Folders whose digest is among the known ones: their files are as they were. */
  unchanged: string[];
  /** Folders whose files have all been listed, with the digest of their paths and facts. */
  listed: { folder: string; digest: string }[];
}

/** Lists folders that are watched, with the facts of their files. */
export interface FolderWalker {
  /**
   * Lists everything in a folder, without the contents of hidden and system folders, in batches of at most a few hundred
   * entries; the next batch waits for `onBatch`. A folder that is not there is one that can't be listed. Rejects with the
   * signal's reason, and with `file.disk-hangs` when the file system does not answer.
   */
  walk(request: WalkRequest, onBatch: (batch: WalkBatch) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** The path without links. Throws what `Files.facts` throws. */
  realPath(path: string): Promise<string>;
  /** The entries at these paths (relative to the root); a path without an entry or that is a folder is left out. */
  entriesAt(root: string, paths: readonly string[]): Promise<FolderEntry[]>;
}
