import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename } from 'node:path';
import type { Log, Site } from '../site/site.ts';
import { isFromHere } from './local-command.ts';

/** A command that copies all files for longer than this has stopped without closing its connection. */
const LONGEST_MS = 24 * 3600 * 1000;
const HEARTBEAT_MS = 1000;

/** Lets a command on this computer copy the library while the service runs. */
export interface SnapshotHolder {
  /**
   * Answers `POST /snapshot` with lines of JSON: `{state: "copying"}` while the database is copied, then `{state: "held", file}` with
   * the name of the copy in `incoming/`, or `{state: "failed"}`. Until the connection is closed, no stored file is deleted.
   */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends a copy that is being made. Resolves when none is. */
  close(): Promise<void>;
}

/** `token`: what a command must send; it is in a private file of the data directory. */
export function createSnapshotHolder(
  { store, blobs, scratch }: Pick<Site, 'store' | 'blobs' | 'scratch'>,
  token: string,
  log: Log,
): SnapshotHolder {
  let isHeld = false;
  let copying: Promise<void> | undefined;
  const ending = new AbortController();

  async function hold(response: ServerResponse): Promise<void> {
    const release = blobs.hold();
    const file = scratch.path('.sqlite');
    const say = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
    let state: object = { state: 'copying' };
    const heartbeat = setInterval(() => say(state), HEARTBEAT_MS);
    const limit = setTimeout(() => response.destroy(), LONGEST_MS);
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    try {
      say(state);
      if (store.file === undefined) throw new Error('The database is on a server, which has its own backups.');
      copying = store.file.copyTo(file, ending.signal);
      await copying;
      state = { state: 'held', file: basename(file) };
      say(state);
      await closed;
    } catch (error) {
      log('the database could not be copied', { error: String(error) });
      response.end(`${JSON.stringify({ state: 'failed' })}\n`);
    } finally {
      copying = undefined;
      clearInterval(heartbeat);
      clearTimeout(limit);
      await rm(file, { force: true });
      await release();
    }
  }

  return {
    async answer(request, response) {
      request.resume();
      const isAllowed = isFromHere(request, token);
      if (!isAllowed || isHeld) {
        response.writeHead(isAllowed ? 409 : 401, { 'cache-control': 'no-store' }).end();
        return;
      }
      isHeld = true;
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
      try {
        await hold(response);
      } finally {
        isHeld = false;
      }
    },
    async close() {
      ending.abort(new Error('The service is stopping.'));
      await copying?.catch(() => {});
    },
  };
}
