// What both plain receivers share: one file for each form, and a report of it as JSON.
import { createHash } from 'node:crypto';
import { chownSync, createReadStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { StoreRun } from './processes.ts';
import type { DestinationWish, StoreDestination } from './store.ts';

/** The folder that received files go to, one for each form, named by its field `slot`. */
export function makeDrop(run: StoreRun): string {
  const drop = join(run.dir, 'drop');
  mkdirSync(drop);
  if (run.user.uid !== undefined && run.user.gid !== undefined) chownSync(drop, run.user.uid, run.user.gid);
  return drop;
}

let count = 0;

export function droppedFile(url: string, drop: string, { fileName }: DestinationWish): StoreDestination {
  count += 1;
  const slot = `slot-${process.pid}-${count}`;
  const path = join(drop, slot);
  return {
    url: new URL(url),
    fields: [
      ['slot', slot],
      ['10', 'ten'],
      ['2', fileName],
    ],
    fileParam: 'file',
    async read() {
      return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream);
    },
    async stored() {
      if (!existsSync(path)) return null;
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
      return { sha256: hash.digest('hex'), sizeBytes: statSync(path).size };
    },
  };
}
