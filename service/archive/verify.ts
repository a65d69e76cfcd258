import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openSnapshot, type Snapshot, type StoredRow } from '../database/snapshot.ts';
import { STORAGE_KEY, storeOf } from '../site/storage-settings.ts';
import { forEachOf } from '../storage/for-each-of.ts';
import { ADMIN, DATABASE, MANIFEST, type Manifest, readArchiveManifest, STORED } from './manifest.ts';
import { isRealFolder, openRealFile, readThrough, statOf } from './read-file.ts';
import { folderNames, folderOf } from './stored-folders.ts';

const AT_A_TIME = 4;
/** Problems and orphans that are listed; all are counted. */
const MAX_LISTED = 1000;
/** The names of files that SQLite reads beside a database. */
const JOURNALS = ['-wal', '-shm', '-journal'];
/** Two bytes of the header say how the database is written and read; this value: with a write-ahead log. */
const MODE_AT = 18;
const WAL = 2;

type ProblemCode =
  | 'backup.incomplete'
  | 'manifest.invalid'
  | 'admin.changed'
  | 'database.missing'
  | 'database.changed'
  | 'database.journal'
  | 'database.newer'
  | 'database.schema'
  | 'database.damaged'
  | 'file.missing'
  | 'file.missing-since-backup'
  | 'file.not-in-manifest'
  | 'file.size'
  | 'file.sha256'
  | 'file.row-size';

interface VerifyProblem {
  code: ProblemCode;
  /** The stored file that it is about. */
  name?: string;
  detail?: string;
}

export interface VerifyReport {
  is_whole: boolean;
  made_at: string | null;
  epoch: string | null;
  schema: number | null;
  files: number;
  bytes: number;
  /** The object store that has the files, which are not part of the backup; null: the backup has them. */
  storage: string | null;
  problem_count: number;
  /** The first of them. */
  problems: VerifyProblem[];
  orphan_count: number;
  /** The first files that no row names. They do no harm: a restore leaves them out. */
  orphans: string[];
}

export interface Verified {
  report: VerifyReport;
  /** Undefined when the backup can't be read. */
  manifest: Manifest | undefined;
  /** Whether every problem is a file that was missing already when the backup was made. */
  isOnlyMissing: boolean;
}

/**
 * Checks a backup, which may come from anywhere: the manifest is complete, the database is that of the manifest and has our tables,
 * the file of each row is there with its size and SHA-256. Follows no link. Reads at most what the manifest names.
 */
export async function verifyBackup(dir: string): Promise<Verified> {
  const found = createFindings();
  const manifest = (await isRealFolder(dir)) ? await readArchiveManifest(join(dir, MANIFEST)) : 'none';
  if (manifest === 'none' || manifest === 'invalid') {
    found.problem({ code: manifest === 'none' ? 'backup.incomplete' : 'manifest.invalid' });
    return { report: found.report(undefined), manifest: undefined, isOnlyMissing: false };
  }
  const { rows, storage } = (await readDatabase(dir, manifest, found.problem)) ?? {};
  if (rows !== undefined) {
    checkRows(rows, manifest, found.problem);
    await findOrphans(dir, rows, found.orphan);
  }
  await checkAdmin(dir, manifest, found.problem);
  await checkFiles(dir, manifest, found.problem);
  return { report: found.report(manifest, storage), manifest, isOnlyMissing: found.isOnlyMissing() };
}

function createFindings() {
  const problems: VerifyProblem[] = [];
  const orphans: string[] = [];
  const counts = { problems: 0, missing: 0, orphans: 0 };
  return {
    problem(problem: VerifyProblem): void {
      counts.problems += 1;
      if (problem.code === 'file.missing-since-backup') counts.missing += 1;
      if (problems.length < MAX_LISTED) problems.push(problem);
    },
    orphan(name: string): void {
      counts.orphans += 1;
      if (orphans.length < MAX_LISTED) orphans.push(name);
    },
    isOnlyMissing: () => counts.missing === counts.problems,
    report: (manifest: Manifest | undefined, storage: string | null = null): VerifyReport => ({
      is_whole: counts.problems === 0,
      made_at: manifest?.head.made_at ?? null,
      epoch: manifest?.head.epoch ?? null,
      schema: manifest?.head.schema ?? null,
      files: manifest?.files.size ?? 0,
      bytes: manifest?.bytes ?? 0,
      storage,
      problem_count: counts.problems,
      problems,
      orphan_count: counts.orphans,
      orphans,
    }),
  };
}

type Report = (problem: VerifyProblem) => void;

/**
 * Returns the rows whose files the backup must have, from a database that is the one of the manifest, and the object store that has
 * them instead; undefined after a problem with the database.
 */
async function readDatabase(
  dir: string,
  { head }: Manifest,
  report: Report,
): Promise<{ rows: Map<string, StoredRow>; storage: string | null } | undefined> {
  const file = join(dir, DATABASE);
  const facts = await readThrough(file, head.database.size);
  if (facts === undefined) {
    report({ code: 'database.missing' });
    return undefined;
  }
  if (facts.size !== head.database.size || facts.sha256 !== head.database.sha256) {
    report({ code: 'database.changed' });
    return undefined;
  }
  const journal = await journalOf(file);
  if (journal !== undefined) {
    report({ code: 'database.journal', detail: journal });
    return undefined;
  }
  let snapshot: Snapshot | undefined;
  try {
    snapshot = openSnapshot(file);
    const problem = snapshot.problem();
    if (problem !== null) {
      report(problem);
      return undefined;
    }
    const storage = storeOf(snapshot.meta(STORAGE_KEY));
    return { rows: storage === null ? rowsOf(snapshot) : new Map(), storage };
  } catch (error) {
    report({ code: 'database.damaged', detail: (error as Error).message.slice(0, 200) });
    return undefined;
  } finally {
    snapshot?.close();
  }
}

/**
 * Returns what makes SQLite read other files with a database: a journal beside it, or the mode of its header. Its content would then
 * not be the one that was hashed.
 */
async function journalOf(file: string): Promise<string | undefined> {
  for (const ending of JOURNALS) if (await statOf(`${file}${ending}`)) return `${DATABASE}${ending}`;
  const handle = await openRealFile(file);
  try {
    const modes = Buffer.alloc(2);
    await handle?.read(modes, 0, modes.length, MODE_AT);
    return modes.includes(WAL) ? 'write-ahead log' : undefined;
  } finally {
    await handle?.close();
  }
}

function rowsOf(snapshot: Snapshot): Map<string, StoredRow> {
  const rows = new Map<string, StoredRow>();
  for (const row of snapshot.rows()) {
    // A file and its thumbnail can be one stored file; only the first has a size.
    if (rows.get(row.name)?.size == null) rows.set(row.name, row);
  }
  return rows;
}

function checkRows(rows: ReadonlyMap<string, StoredRow>, { files, missing }: Manifest, report: Report): void {
  for (const { name, size } of rows.values()) {
    const listed = files.get(name);
    if (listed === undefined) {
      report({
        code: missing.has(name) ? 'file.missing-since-backup' : 'file.not-in-manifest',
        name: name.slice(0, 100),
      });
    } else if (size !== null && size !== listed.size) {
      report({ code: 'file.row-size', name, detail: `${size} in the database, ${listed.size} in the manifest` });
    }
  }
}

async function checkAdmin(dir: string, { head: { admin } }: Manifest, report: Report): Promise<void> {
  if (admin === null) return;
  const facts = await readThrough(join(dir, ADMIN), admin.size);
  if (facts?.size !== admin.size || facts.sha256 !== admin.sha256) report({ code: 'admin.changed' });
}

async function checkFiles(dir: string, { files }: Manifest, report: Report): Promise<void> {
  const folders = await realFolders(dir);
  await forEachOf(files, AT_A_TIME, async ([name, listed]) => {
    const isThere = folders.has(folderOf(name));
    const facts = isThere ? await readThrough(join(dir, STORED, folderOf(name), name), listed.size) : undefined;
    if (facts === undefined) report({ code: 'file.missing', name });
    else if (facts.size !== listed.size) report({ code: 'file.size', name });
    else if (facts.sha256 !== listed.sha256) report({ code: 'file.sha256', name });
  });
}

async function realFolders(dir: string): Promise<Set<string>> {
  const folders = new Set<string>();
  if (!(await isRealFolder(join(dir, STORED)))) return folders;
  for (const name of folderNames()) if (await isRealFolder(join(dir, STORED, name))) folders.add(name);
  return folders;
}

async function findOrphans(
  dir: string,
  rows: ReadonlyMap<string, StoredRow>,
  orphan: (name: string) => void,
): Promise<void> {
  for (const folder of await realFolders(dir)) {
    for (const name of await readdir(join(dir, STORED, folder))) {
      if (!rows.has(name)) orphan(`${folder}/${name}`.slice(0, 300));
    }
  }
}
