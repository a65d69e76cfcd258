import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Prng } from '../../helpers/data/prng.ts';
import { copyQueue } from './queue-at-work.ts';

const PAGE_BYTES = 4096;
const LOG_HEADER_BYTES = 32;
/** A page in the write-ahead log, with its header. */
const FRAME_BYTES = 24 + PAGE_BYTES;

/** A kind of damage of a queue. `older` is the same queue at an earlier time. */
export interface Damage {
  name: string;
  apply(folder: string, older: string, prng: Prng): void;
}

const MARKS = ['queue.rows', 'queue.edits'];
const database = (folder: string) => join(folder, 'queue.db');
const log = (folder: string) => join(folder, 'queue.db-wal');
const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0);

/** Every kind, the most frequent first. */
export const DAMAGES: readonly Damage[] = [
  {
    name: 'the log is cut at a page',
    apply: (folder, _, prng) =>
      cut(log(folder), prng.int(0, Math.floor(sizeOf(log(folder)) / PAGE_BYTES)) * PAGE_BYTES),
  },
  { name: 'the log is cut anywhere', apply: (folder, _, prng) => cut(log(folder), prng.int(0, sizeOf(log(folder)))) },
  {
    name: 'bytes of the database are others',
    apply: (folder, _, prng) => flip(database(folder), prng, prng.int(1, 16)),
  },
  { name: 'one byte of the database is another', apply: (folder, _, prng) => flip(database(folder), prng, 1) },
  { name: 'bytes of the log are others', apply: (folder, _, prng) => flip(log(folder), prng, prng.int(1, 16)) },
  {
    name: 'a page of the database is empty',
    apply(folder, _, prng) {
      const bytes = readFileSync(database(folder));
      const page = prng.int(0, Math.max(0, Math.floor(bytes.length / PAGE_BYTES) - 1));
      bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
      writeFileSync(database(folder), bytes);
    },
  },
  {
    name: 'the database is cut at a page',
    apply: (folder, _, prng) =>
      cut(database(folder), prng.int(0, Math.floor(sizeOf(database(folder)) / PAGE_BYTES)) * PAGE_BYTES),
  },
  {
    name: 'the database is cut anywhere',
    apply: (folder, _, prng) => cut(database(folder), prng.int(0, sizeOf(database(folder)))),
  },
  { name: 'the database is empty', apply: (folder) => cut(database(folder), 0) },
  { name: 'the log is gone', apply: (folder) => rmSync(log(folder), { force: true }) },
  { name: 'the index of the log is gone', apply: (folder) => rmSync(join(folder, 'queue.db-shm'), { force: true }) },
  { name: 'the index of the log is others', apply: (folder, _, prng) => flip(join(folder, 'queue.db-shm'), prng, 40) },
  { name: 'the database is gone and its log is not', apply: (folder) => rmSync(database(folder)) },
  { name: 'the log is an older one', apply: (folder, older) => take(log(older), log(folder)) },
  { name: 'the database is an older one', apply: (folder, older) => take(database(older), database(folder)) },
  {
    name: 'everything but the mark is older',
    apply(folder, older) {
      const marks = MARKS.filter((name) => existsSync(join(folder, name))).map(
        (name) => [name, readFileSync(join(folder, name))] as const,
      );
      rmSync(folder, { recursive: true });
      copyQueue(older, folder);
      for (const [name, mark] of marks) writeFileSync(join(folder, name), mark);
    },
  },
  { name: 'the mark is nonsense', apply: (folder, _, prng) => flip(join(folder, 'queue.rows'), prng, 8) },
  {
    name: 'the lock is nonsense',
    apply: (folder) => writeFileSync(join(folder, 'profile.lock'), 'nonsense '.repeat(100)),
  },
  { name: 'the schema is a newer one', apply: (folder) => execute(folder, 'PRAGMA user_version = 999') },
  {
    name: 'what is noted about an upload is no JSON',
    apply: (folder, _, prng) =>
      execute(folder, `UPDATE uploads SET ${prng.pick(JSON_COLUMNS)} = '{"torn' WHERE seq % 7 = ${prng.int(0, 6)}`),
  },
  {
    name: 'what is noted about an upload has another shape',
    apply: (folder, _, prng) =>
      execute(
        folder,
        `UPDATE uploads SET ${prng.pick(JSON_COLUMNS)} = '${prng.pick(['7', '[]', '{}', '"x"', '[null]', 'null'])}'
         WHERE seq % 7 = ${prng.int(0, 6)}`,
      ),
  },
  {
    name: 'a follow-up has contents of another kind',
    apply: (folder, _, prng) =>
      execute(
        folder,
        `UPDATE follow_ups SET ${prng.pick([`error = '{"torn'`, `error = '[]'`, `tries = '7'`, `kind = 'captious'`, `state = ''`])}
         WHERE upload_seq % 7 = ${prng.int(0, 6)}`,
      ),
  },
  {
    name: 'an upload is in a state that does not exist',
    apply: (folder, _, prng) =>
      execute(folder, `UPDATE uploads SET state = 'sendimg' WHERE seq % 7 = ${prng.int(0, 6)}`),
  },
  {
    name: 'what an edit changes is no JSON',
    apply: (folder, _, prng) => execute(folder, `UPDATE edits SET ops = '{"torn' WHERE seq % 5 = ${prng.int(0, 4)}`),
  },
  {
    name: 'a byte of what an edit changes is another, and it is JSON all the same',
    apply: (folder, _, prng) =>
      execute(
        folder,
        `UPDATE edits SET ${prng.pick([`ops = replace(ops, 'xxxxx', 'xyxxx')`, `ops = replace(ops, 'Talk', 'Talc')`, `ops = replace(ops, 'title', 'byline')`, `entity_id = entity_id || '0'`])}
         WHERE seq % 5 = ${prng.int(0, 4)}`,
      ),
  },
  {
    name: 'an edit is in a state that does not exist',
    apply: (folder, _, prng) => execute(folder, `UPDATE edits SET state = 'pendimg' WHERE seq % 5 = ${prng.int(0, 4)}`),
  },
  {
    name: 'the note of a library is no JSON',
    apply: (folder, _, prng) =>
      execute(folder, `UPDATE sites SET record = '${prng.pick(['{"torn', '7', 'null', '{}'])}'`),
  },
  {
    name: 'the defaults of a batch are no JSON',
    apply: (folder) => execute(folder, `UPDATE batches SET defaults = '{"torn'`),
  },
];

/** Every page of a queue empty, and the files cut before every page. */
export function pageDamages(folder: string): Damage[] {
  const pagesOf = (path: string, bytes: number) =>
    Array.from({ length: Math.ceil(sizeOf(path) / bytes) }, (_, page) => page);
  const pages = pagesOf(database(folder), PAGE_BYTES);
  return [
    ...pages.map((page): Damage => {
      const apply: Damage['apply'] = (at) => {
        const bytes = readFileSync(database(at));
        writeFileSync(database(at), bytes.fill(0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
      };
      return { name: `page ${page} of the database is empty`, apply };
    }),
    ...pages.map((page): Damage => {
      return { name: `the database is cut before page ${page}`, apply: (at) => cut(database(at), page * PAGE_BYTES) };
    }),
    ...pagesOf(log(folder), FRAME_BYTES).map((frame): Damage => {
      const bytes = frame === 0 ? 0 : LOG_HEADER_BYTES + (frame - 1) * FRAME_BYTES;
      return { name: `the log is cut before frame ${frame}`, apply: (at) => cut(log(at), bytes) };
    }),
  ];
}

const JSON_COLUMNS = ['tags', 'publish', 'error', 'destination', 'tries'] as const;

function cut(path: string, bytes: number): void {
  if (existsSync(path)) truncateSync(path, bytes);
}

function flip(path: string, prng: Prng, count: number): void {
  if (sizeOf(path) === 0) return;
  const bytes = readFileSync(path);
  for (let left = count; left > 0; left -= 1) {
    const at = prng.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << prng.int(0, 7));
  }
  writeFileSync(path, bytes);
}

function take(from: string, to: string): void {
  if (existsSync(from)) writeFileSync(to, readFileSync(from));
  else rmSync(to, { force: true });
}

function execute(folder: string, sql: string): void {
  const connection = new DatabaseSync(database(folder));
  try {
    connection.exec(sql);
  } finally {
    connection.close();
  }
}
