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

/** What can become of one page: `older` is what it contained before, null where there was no such page. */
const PAGE_FAULTS: Record<string, (page: Buffer, older: Buffer | null, prng: Prng) => void> = {
  'is empty': (page) => page.fill(0),
  'has its former contents': (page, older) => void (older === null ? page.fill(0) : older.copy(page)),
  'is half written': (page, older) => {
    if (older === null) page.fill(0, page.length / 2);
    else older.copy(page, page.length / 2, page.length / 2);
  },
  'has other bits': (page, _, prng) => flipIn(page, prng, 12),
  'is random': (page, _, prng) => {
    for (let at = 0; at < page.length; at += 1) page[at] = prng.int(0, 255);
  },
};

/** A frame has a checksum, so all of its damages have the same effect. */
const FRAME_FAULTS = ['is empty', 'has other bits'];

/**
 * Returns the damages of every page of a database and of every frame of its write-ahead log, each in every way, and both
 * files cut before each page or frame. `name`: of the database file in its folder.
 */
export function pageDamages(folder: string, name = 'queue.db'): Damage[] {
  const pagesOf = (file: string, bytes: number) =>
    Array.from({ length: Math.ceil(sizeOf(join(folder, file)) / bytes) }, (_, page) => page);
  const logName = `${name}-wal`;
  const offsetOf = (frame: number) => LOG_HEADER_BYTES + frame * FRAME_BYTES;
  const inPlace = (file: string, at: number, length: number, title: string, faults: readonly string[]): Damage[] =>
    faults.map((fault) => ({
      name: `${title} ${fault}`,
      apply(damaged, older, prng) {
        const bytes = readFileSync(join(damaged, file));
        const before = existsSync(join(older, file)) ? readFileSync(join(older, file)) : Buffer.alloc(0);
        const former = before.length >= at + length ? before.subarray(at, at + length) : null;
        PAGE_FAULTS[fault]?.(bytes.subarray(at, at + length), former, prng);
        writeFileSync(join(damaged, file), bytes);
      },
    }));
  return [
    ...pagesOf(name, PAGE_BYTES).flatMap((page): Damage[] => [
      ...inPlace(name, page * PAGE_BYTES, PAGE_BYTES, `page ${page} of the database`, Object.keys(PAGE_FAULTS)),
      { name: `the database is cut before page ${page}`, apply: (at) => cut(join(at, name), page * PAGE_BYTES) },
    ]),
    ...pagesOf(logName, FRAME_BYTES).flatMap((frame): Damage[] => [
      ...inPlace(logName, offsetOf(frame), FRAME_BYTES, `frame ${frame} of the log`, FRAME_FAULTS),
      {
        name: `the log is cut before frame ${frame}`,
        apply: (at) => cut(join(at, logName), frame === 0 ? 0 : offsetOf(frame)),
      },
    ]),
  ];
}

const JSON_COLUMNS = ['tags', 'publish', 'error', 'destination', 'tries'] as const;

function cut(path: string, bytes: number): void {
  if (existsSync(path)) truncateSync(path, bytes);
}

function flip(path: string, prng: Prng, count: number): void {
  if (sizeOf(path) === 0) return;
  const bytes = readFileSync(path);
  flipIn(bytes, prng, count);
  writeFileSync(path, bytes);
}

function flipIn(bytes: Buffer, prng: Prng, count: number): void {
  if (bytes.length === 0) return;
  for (let left = count; left > 0; left -= 1) {
    const at = prng.int(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << prng.int(0, 7));
  }
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
