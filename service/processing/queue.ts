import { type FileRow, findFile } from '../resources/files/file-row.ts';
import type { Site } from '../site/site.ts';
import { IS_PROCESSING } from '../site/underway.ts';
import { StorageUnavailable } from '../storage/storage-unavailable.ts';
import { processFile } from './process-file.ts';
import { isSuspect } from './starts.ts';
import type { Tools } from './tools/find-tools.ts';
import { createPictureMaker } from './tools/picture-maker.ts';

const CONCURRENCY = 2;
/**
 * A file can be deleted in many ways (by itself, with its item or collection, because its upload was abandoned); its processing
 * stops within this time.
 */
const CHECK_MS = 500;
/** After a failure of the storage. */
const RETRY_MS = 10_000;

/**
 * Processes the files in state `processing`, oldest first, two at a time. The rows are the queue, so it survives a
 * restart.
 */
export interface ProcessingQueue {
  /** Starts work that is due. */
  wake(): void;
  /** Aborts running work; its files stay in `processing`. */
  stop(): Promise<void>;
}

interface Running {
  row: FileRow;
  controller: AbortController;
  ended: Promise<void>;
}

export function createProcessingQueue(site: () => Site, tools: Tools): ProcessingQueue {
  const running = new Map<number, Running>();
  /** Files whose outcome could not be written; they stay unprocessed until the next start of the service. */
  const unsaved = new Set<number>();
  /** Files whose content the storage could not give or take; they are tried again. */
  const waiting = new Set<number>();
  const pictures = createPictureMaker();
  let isStopping = false;
  let checking: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;

  function next(): FileRow | undefined {
    return site()
      .store.all<FileRow>(
        `SELECT * FROM files WHERE ${IS_PROCESSING} ORDER BY activity_at, id LIMIT ?`,
        running.size + unsaved.size + waiting.size + 1,
      )
      .find((row) => !running.has(row.id) && !unsaved.has(row.id) && !waiting.has(row.id));
  }

  /**
   * Returns whether a file may start. A file that may have crashed the service is processed alone, so that no other file is
   * suspected with it.
   */
  function mayStart(row: FileRow): boolean {
    return running.size === 0 || !(isSuspect(row) || [...running.values()].some((each) => isSuspect(each.row)));
  }

  function start(row: FileRow): void {
    const controller = new AbortController();
    const ended = processFile(site(), row, { tools, pictures }, controller.signal)
      .catch((error) => {
        if (error instanceof StorageUnavailable) tryLater(row.id);
        else unsaved.add(row.id);
        site().log('processing broke off', { file_id: row.id, error: String(error) });
      })
      .finally(() => {
        running.delete(row.id);
        wake();
      });
    running.set(row.id, { row, controller, ended });
  }

  function tryLater(id: number): void {
    waiting.add(id);
    retry ??= setTimeout(() => {
      retry = undefined;
      waiting.clear();
      wake();
    }, RETRY_MS).unref();
  }

  function wake(): void {
    while (!isStopping && running.size < CONCURRENCY) {
      const row = next();
      if (!row || !mayStart(row)) break;
      start(row);
    }
    if (running.size > 0 && !isStopping) checking ??= setInterval(abortDeleted, CHECK_MS).unref();
    else stopChecking();
  }

  function abortDeleted(): void {
    for (const { row, controller } of running.values()) {
      if (findFile(site().store, row.id)?.status !== 'processing') controller.abort(new Error('The file was deleted.'));
    }
  }

  function stopChecking(): void {
    clearInterval(checking);
    checking = undefined;
  }

  return {
    wake,
    async stop() {
      isStopping = true;
      stopChecking();
      clearTimeout(retry);
      for (const { controller } of running.values()) controller.abort(new Error('The service stops.'));
      await Promise.all([...running.values()].map(({ ended }) => ended));
      pictures.stop();
    },
  };
}
