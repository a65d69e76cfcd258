import { haveCaptions, type MediaFile, sizeOfFiles } from '../../../../shared/api/files.ts';
import type { ItemFileFacts } from '../../../../shared/contract/library.ts';
import { listFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { createLatestFirst, Dropped, type LatestFirst } from '../thumbnails/latest-first.ts';

const MAX_IN_FLIGHT = 4;
/**
 * The maximum number of waiting requests, more than a window shows: older requests belong to rows that were scrolled out of view.
 */
const MAX_WAITING = 100;
const MAX_FILES = 1000;

/** Reads facts about the files of items, a few items at a time, the latest request first. */
export interface FileFactsReader {
  /** Returns null when too many later requests were made. Throws the errors of `SiteClient`. */
  read(client: SiteClient, mediaId: string): Promise<ItemFileFacts | null>;
  stop(): void;
}

export function createFileFactsReader(): FileFactsReader {
  const turns: LatestFirst = createLatestFirst({ running: MAX_IN_FLIGHT, waiting: MAX_WAITING });
  const ending = new AbortController();
  return {
    async read(client, mediaId) {
      try {
        return await turns.run((signal) => readFacts(client, mediaId, signal), ending.signal);
      } catch (error) {
        if (error instanceof Dropped) return null;
        throw error;
      }
    },
    stop: () => ending.abort(),
  };
}

async function readFacts(client: SiteClient, mediaId: string, signal: AbortSignal): Promise<ItemFileFacts> {
  const files: MediaFile[] = [];
  for await (const file of listFiles(client, mediaId, signal)) {
    files.push(file);
    if (files.length === MAX_FILES) break;
  }
  return { sizeBytes: sizeOfFiles(files), hasCaptions: haveCaptions(files) };
}
