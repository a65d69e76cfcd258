import { type AppErrorData, appErrorSchema } from '../../../../shared/contract/app-error.ts';
import { type WatchRules, watchRulesSchema } from '../../../../shared/contract/watch-rules.ts';
import { withChanges } from '../../../../shared/model/keep-unknown.ts';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/** A stored watched folder. Times are epoch milliseconds. */
export interface FolderRecord {
  id: string;
  /** The real path, without links. */
  root: string;
  /** The key and the name of the root's volume. */
  volume: string;
  volumeName: string;
  /** The path of the root from the mount point of its volume; empty for the whole volume. */
  place: string;
  /** The number of the root on its volume. */
  rootId: string;
  rules: WatchRules;
  isPaused: boolean;
  /** The interval of sweeps that the user chose; null: Mediadesk chooses it. */
  sweepEveryMs: number | null;
  /** Why the events of the system are not used for this folder; null while they are. */
  sweepOnly: AppErrorData | null;
  /** The number of sweeps that found changes which events missed. */
  misses: number;
  /**
   * The first complete sweep finds the files that existed before. `begun`: not complete yet; `interrupted`: the process ended
   * during it.
   */
  baseline: 'begun' | 'interrupted' | 'done';
  lastSweepAt: number | null;
  /** The highest number that a file of the folder ever had; titles may contain these numbers. */
  numbered: number;
  addedAt: number;
}

/** A change of a folder. */
export type FolderChange = Partial<Omit<FolderRecord, 'id' | 'addedAt'>>;

/** The durable watched folders. All are kept in memory, because there are few. */
export class FolderStore {
  readonly #statements: Statements;
  readonly #folders = new Map<string, FolderRecord>();

  constructor(database: Database) {
    this.#statements = new Statements(database);
    for (const row of database.prepare('SELECT * FROM watched_folders ORDER BY added_at, id').all()) {
      const folder = toFolder(row);
      if (folder !== null) this.#folders.set(folder.id, folder);
    }
  }

  list(): FolderRecord[] {
    return [...this.#folders.values()];
  }

  get(id: string): FolderRecord | null {
    return this.#folders.get(id) ?? null;
  }

  /** Durable when this returns. */
  add(folder: FolderRecord): void {
    const columns = columnsOf(folder);
    const names = Object.keys(columns);
    this.#statements
      .prepare(
        `INSERT INTO watched_folders (${names.join(', ')}) VALUES (${names.map((name) => `$${name}`).join(', ')})`,
      )
      .run(columns);
    this.#folders.set(folder.id, folder);
  }

  /** Durable when this returns. Returns the folder after the change; null when it was removed meanwhile. */
  change(id: string, change: FolderChange): FolderRecord | null {
    const before = this.#folders.get(id);
    if (before === undefined) return null;
    const after = { ...before, ...change };
    const columns = columnsOf(after);
    columns.rules = this.#rulesText(id, before.rules, after.rules);
    const sets = Object.keys(columns).map((name) => `${name} = $${name}`);
    this.#statements.prepare(`UPDATE watched_folders SET ${sets.join(', ')} WHERE id = $id`).run(columns);
    this.#folders.set(id, after);
    return after;
  }

  /** Returns the text of rules after a change: members that another version added are kept. */
  #rulesText(id: string, before: WatchRules, after: WatchRules): string {
    const stored = this.#statements.prepare('SELECT rules FROM watched_folders WHERE id = $id').get({ id });
    return JSON.stringify(withChanges(jsonOf(stored?.rules) ?? before, before, after));
  }

  /** Removes the folder, and `WatchedFileStore.removeOrphans` its files; no upload is removed. Durable when this returns. */
  remove(id: string): void {
    this.#statements.prepare('DELETE FROM watched_folders WHERE id = $id').run({ id });
    this.#folders.delete(id);
  }

  /** Returns the rows that can't be read, such as after damage of the disk. They stay stored. */
  unreadable(): string[] {
    return this.#statements
      .prepare('SELECT id FROM watched_folders')
      .all()
      .map((row) => String(row.id))
      .filter((id) => !this.#folders.has(id));
  }
}

function columnsOf(folder: FolderRecord): Record<string, SqlValue> {
  return {
    id: folder.id,
    root: folder.root,
    volume: folder.volume,
    volume_name: folder.volumeName,
    place: folder.place,
    root_id: folder.rootId,
    rules: JSON.stringify(folder.rules),
    is_paused: folder.isPaused ? 1 : 0,
    sweep_every_ms: folder.sweepEveryMs,
    sweep_only: folder.sweepOnly === null ? null : JSON.stringify(folder.sweepOnly),
    misses: folder.misses,
    baseline: folder.baseline,
    last_sweep_at: folder.lastSweepAt,
    numbered: folder.numbered,
    added_at: folder.addedAt,
  };
}

function toFolder(row: SqlRow): FolderRecord | null {
  const rules = watchRulesSchema.safeParse(jsonOf(row.rules));
  if (!rules.success) return null;
  const sweepOnly = appErrorSchema.safeParse(jsonOf(row.sweep_only));
  const number = (value: SqlRow[string] | undefined) => (value === null || value === undefined ? null : Number(value));
  const baseline = String(row.baseline);
  return {
    id: String(row.id),
    root: String(row.root),
    volume: String(row.volume),
    volumeName: String(row.volume_name),
    place: String(row.place),
    rootId: String(row.root_id),
    rules: rules.data,
    isPaused: row.is_paused === 1,
    sweepEveryMs: number(row.sweep_every_ms),
    sweepOnly: sweepOnly.success ? sweepOnly.data : null,
    misses: Number(row.misses),
    baseline: baseline === 'done' || baseline === 'interrupted' ? baseline : 'begun',
    lastSweepAt: number(row.last_sweep_at),
    numbered: Number(row.numbered),
    addedAt: Number(row.added_at),
  };
}

function jsonOf(value: SqlRow[string] | undefined): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : null;
  } catch {
    // A damaged byte: the caller's schema refuses null.
    return null;
  }
}
