import type { DirectoryFacts } from '../../../shared/contract/admin/admin-calls.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { EventData } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { SiteClient } from '../api/http-client.ts';
import type { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import { type Directory, readDirectory } from './directory.ts';

/** After this time the directory is read again at the next use. */
const FRESH_MS = 10 * 60_000;

export interface DirectoriesOptions {
  accounts: {
    clientFor(siteId: string): SiteClient;
    list(): Site[];
    onDidChangeSites(listener: (sites: Site[]) => void): () => void;
  };
  clock: Clock;
  changes: Emitter<{ siteId: string }>;
  /** An account with a directory is no administrator any more. */
  lost: Emitter<EventData<'onDidLoseRights'>>;
}

type Apply = (directory: Directory) => void;

/**
 * The directories of the accounts of administrators. They are in memory only, and dropped when the account is no longer signed in.
 */
export interface Directories {
  /**
   * Returns the directory; reads it when there is none, or an old one. `isFresh`: returns one whose reading began after this call.
   * Throws `admin.only`.
   */
  of(siteId: string, isFresh?: boolean): Promise<Directory>;
  /** Stores what a read of a single entry found, also in a directory that is being read. */
  learn(siteId: string, apply: Apply): void;
  /** The same after a change of the library, which is announced. */
  note(siteId: string, apply: Apply): void;
  clientFor(siteId: string): SiteClient;
  /** The user id of the account; null when the library does not report it. */
  actorOf(siteId: string): string | null;
  /** Drops the directory of an account that is no administrator any more, and announces who still is one. */
  lose(siteId: string): void;
  stop(): void;
}

interface Kept {
  reading: Promise<Directory>;
  isReading: boolean;
  /** The reading after the present one, for callers that need a later one. */
  next: Promise<Directory> | null;
  /** null while it is read for the first time. */
  read: Directory | null;
  /** What was learned while it is read: its pages may be older. */
  learned: Apply[];
  abort: AbortController;
}

export function createDirectories({ accounts, clock, changes, lost }: DirectoriesOptions): Directories {
  const kept = new Map<string, Kept>();
  /** The last directory that was read, also when a later reading failed: it knows the administrators. */
  const last = new Map<string, Directory>();

  function drop(siteId: string): void {
    kept.get(siteId)?.abort.abort();
    kept.delete(siteId);
    last.delete(siteId);
  }

  const actorOf = (siteId: string) => accounts.list().find(({ id }) => id === siteId)?.userId ?? null;

  function lose(siteId: string): void {
    const users = last.get(siteId)?.users;
    drop(siteId);
    if (users === undefined) return;
    const others = [...users.values()].filter(({ id, isAdmin }) => isAdmin && id !== actorOf(siteId));
    lost.emit({ siteId, administrators: others.map(({ name, email }) => ({ name, email })) });
  }

  function read(siteId: string): Promise<Directory> {
    const abort = new AbortController();
    const before = kept.get(siteId);
    const learned: Apply[] = [];
    const reading = asAdministrator(readDirectory(accounts.clientFor(siteId), () => clock.now(), abort.signal)).then(
      (directory) => {
        for (const apply of learned) apply(directory);
        return directory;
      },
    );
    const entry: Kept = { reading, isReading: true, next: null, read: before?.read ?? null, learned, abort };
    kept.set(siteId, entry);
    reading.then(
      (directory) => {
        entry.read = directory;
        entry.isReading = false;
        if (kept.get(siteId) !== entry) return;
        last.set(siteId, directory);
        changes.emit({ siteId });
      },
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'admin.only') lose(siteId);
        // The caller gets the error; the next call reads again.
        if (kept.get(siteId) === entry) kept.delete(siteId);
      },
    );
    return reading;
  }

  function readAfter(siteId: string, known: Kept): Promise<Directory> {
    const again = () => read(siteId);
    known.next ??= known.reading.then(again, again);
    return known.next;
  }

  function learn(siteId: string, apply: Apply): void {
    const known = kept.get(siteId);
    if (known === undefined) return;
    if (known.read !== null) {
      apply(known.read);
      known.read.revision += 1;
    }
    if (known.isReading) known.learned.push(apply);
  }

  const end = accounts.onDidChangeSites((sites) => {
    for (const siteId of new Set([...kept.keys(), ...last.keys()])) {
      if (sites.find(({ id }) => id === siteId)?.state !== 'signed-in') drop(siteId);
    }
  });

  return {
    of(siteId, isFresh = false) {
      const known = kept.get(siteId);
      if (known === undefined) return read(siteId);
      if (known.isReading) return isFresh ? readAfter(siteId, known) : known.reading;
      const isOld = known.read !== null && clock.now() - known.read.readAt >= FRESH_MS;
      return isFresh || isOld ? read(siteId) : known.reading;
    },
    learn,
    note(siteId, apply) {
      learn(siteId, apply);
      changes.emit({ siteId });
    },
    clientFor: (siteId) => accounts.clientFor(siteId),
    actorOf,
    lose,
    stop() {
      end();
      for (const siteId of [...kept.keys()]) drop(siteId);
    },
  };
}

export function directoryFactsOf({ users, groups, roles, skipped }: Directory): DirectoryFacts {
  return { people: users.size, groups: groups.size, roles: roles.size, skipped };
}

/** Converts the refusal of a read for administrators to `admin.only`. */
export async function asAdministrator<T>(action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof AppError && error.code === 'api.forbidden') throw appError('admin.only', { cause: error });
    throw error;
  }
}
