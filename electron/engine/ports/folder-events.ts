import type { AppError } from '../../../shared/contract/app-error.ts';

/** A path below a watched folder, relative to it, at which something may have changed. Empty: the folder itself. */
export interface FolderHint {
  path: string;
  /** Whether a new folder was reported: all its files are new. */
  isFolder: boolean;
}

export interface FolderEventListeners {
  onHint(hint: FolderHint): void;
  /** Called when changes are reported from now on. */
  onReady(): void;
  /** Called with `watch.events-limit` or `watch.events-failed` when changes may be missed from now on. */
  onFault(error: AppError): void;
}

/** Reports changes in folders as the operating system sends them. They are hints: some are late, doubled or missing. */
export interface FolderEvents {
  /** Returns the function that ends the subscription. */
  subscribe(root: string, listeners: FolderEventListeners): () => Promise<void>;
}
