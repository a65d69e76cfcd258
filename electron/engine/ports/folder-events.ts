import type { AppError } from '../../../shared/contract/app-error.ts';

/** A path below a watched folder, relative to it, at which something may have changed. Empty: the folder itself. */
export interface FolderHint {
  path: string;
  /** The event is a new folder: all its files are new. */
  isFolder: boolean;
}

export interface FolderEventListeners {
  onHint(hint: FolderHint): void;
  /** From now on changes are reported. */
  onReady(): void;
  /** Changes may be missed from now on: `watch.events-limit` or `watch.events-failed`. */
  onFault(error: AppError): void;
}

/** Reports changes in folders as the operating system sends them. They are hints: some are late, doubled or missing. */
export interface FolderEvents {
  /** Returns the function that ends the subscription. */
  subscribe(root: string, listeners: FolderEventListeners): () => Promise<void>;
}
