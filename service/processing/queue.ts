import type { FileRow } from '../resources/file-row.ts';
import type { Site } from '../site/site.ts';
import { createPictureMaker } from './picture-maker.ts';
import { processFile } from './process-file.ts';
import type { Tools } from './tools.ts';

const CONCURRENCY = 2;

/** Works on the files in `processing`, oldest first, two at a time. The rows are the queue: it survives a restart. */
export interface ProcessingQueue {
  /** Looks for work. */
  wake(): void;
  /** Breaks off; files under way stay in `processing`. */
  stop(): Promise<void>;
}

export function createProcessingQueue(site: () => Site, tools: Tools): ProcessingQueue {
  const running = new Map<number, Promise<void>>();
  /** Files whose outcome could not be written; they wait for the next start. */
  const stuck = new Set<number>();
  const stopping = new AbortController();
  const pictures = createPictureMaker();

  function next(): FileRow | undefined {
    return site()
      .store.all<FileRow>(
        `SELECT * FROM files WHERE status = 'processing' ORDER BY activity_at, id LIMIT ?`,
        running.size + stuck.size + 1,
      )
      .find((row) => !running.has(row.id) && !stuck.has(row.id));
  }

  function wake(): void {
    while (!stopping.signal.aborted && running.size < CONCURRENCY) {
      const row = next();
      if (!row) return;
      const work = processFile(site(), row, { tools, pictures }, stopping.signal)
        .catch((error) => {
          stuck.add(row.id);
          site().log('processing broke off', { file_id: row.id, error: String(error) });
        })
        .finally(() => {
          running.delete(row.id);
          wake();
        });
      running.set(row.id, work);
    }
  }

  return {
    wake,
    async stop() {
      stopping.abort(new Error('The service stops.'));
      await Promise.all(running.values());
      pictures.stop();
    },
  };
}
