import { type AdminLogEntry, logEntrySchema } from '../../../shared/contract/admin/admin-calls.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { csvOf } from '../../../shared/model/table/write-csv.ts';
import type { Clock } from '../ports/clock.ts';
import type { LineFiles } from '../ports/line-files.ts';
import type { Logger } from '../ports/logger.ts';

/** A change for the log: its entry without the time and the outcome. */
type LoggedChange = Omit<AdminLogEntry, 'at' | 'outcome'>;

/** The administrative changes that this computer made, by account. They are only appended. */
export interface AdminLog {
  /** Makes a change and appends it with its outcome. Rethrows the error of the change. */
  record<T>(siteId: string, change: LoggedChange, action: () => Promise<T>): Promise<T>;
  /** Writes a table of what a deletion is about to remove, and returns the path of the file. */
  saveTable(kind: string, rows: readonly (readonly string[])[]): Promise<string>;
  /** The newest entries first, from `offset` on. */
  read(siteId: string, window: { offset: number; limit: number }): Promise<{ total: number; entries: AdminLogEntry[] }>;
}

/** The longest text of one field; a line stays short enough to be appended in one piece. */
const MOST_CHARS = 500;

/** Stores the log as one file of JSON lines for each account. */
export function createAdminLog(options: {
  files: LineFiles;
  clock: Clock;
  logger: Logger;
  /** Called when the library refused a change because the account is no administrator. */
  onRefused(siteId: string): void;
}): AdminLog {
  const { files, clock, logger, onRefused } = options;
  const fileOf = (siteId: string) => `${encodeURIComponent(siteId)}.jsonl`;

  async function append(siteId: string, change: LoggedChange, outcome: string): Promise<void> {
    const entry: AdminLogEntry = { at: new Date(clock.now()).toISOString(), ...change, outcome };
    const short = Object.entries(entry).map(([name, text]) => [name, text.slice(0, MOST_CHARS)]);
    try {
      await files.append(fileOf(siteId), JSON.stringify(Object.fromEntries(short)));
    } catch (error) {
      // The change itself succeeded or failed: its outcome must reach the user.
      logger.warn('admin.log-failing', { action: change.action, reason: String(error) });
    }
  }

  return {
    async record(siteId, change, action) {
      const value = await action().catch(async (error: unknown) => {
        await append(siteId, change, error instanceof AppError ? error.code : 'internal');
        if (error instanceof AppError && error.code === 'admin.only') onRefused(siteId);
        throw error;
      });
      await append(siteId, change, 'done');
      return value;
    },
    saveTable(kind, rows) {
      // Unique without a random part: two deletions never begin in the same millisecond.
      const time = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
      return files.create(`${kind}-${time}.csv`, [...csvOf(rows)].join(''));
    },
    async read(siteId, { offset, limit }) {
      const entries = (await files.read(fileOf(siteId))).flatMap(entryOf).reverse();
      return { total: entries.length, entries: entries.slice(offset, offset + limit) };
    },
  };
}

/** Returns no entry for a line that a power failure cut. */
function entryOf(line: string): AdminLogEntry[] {
  try {
    const entry = logEntrySchema.safeParse(JSON.parse(line));
    return entry.success ? [entry.data] : [];
  } catch {
    return [];
  }
}
