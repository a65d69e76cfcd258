import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openIdleDatabase } from '../database/snapshot.ts';
import { localUrl, readOperations } from '../site/data-dir.ts';
import { ArchiveError } from './archive-error.ts';
import { linkFile } from './link-file.ts';
import { DATABASE } from './manifest.ts';
import { copyFileTo, statOf } from './read-file.ts';

/** The service reports each second. */
const SILENCE_MS = 60_000;

/** A library whose stored files stay while it is copied. */
export interface LibrarySource {
  /** Whether a service runs on it. */
  isRunning: boolean;
  /** Throws when the files may not have stayed since the copy of the database. */
  check(): void;
  release(): Promise<void>;
}

/**
 * Copies the database of a library to a new file, and keeps the stored files of its rows until `release`: by itself when no service
 * runs, otherwise through the running service, which must have been started with `--operations`.
 */
export async function holdLibrary(dataDir: string, to: string): Promise<LibrarySource> {
  const file = join(dataDir, DATABASE);
  if (!(await statOf(file))?.isFile()) {
    throw new ArchiveError(
      'backup.no-library',
      `There is no library in ${dataDir}. A library in PostgreSQL is backed up with its programs.`,
    );
  }
  const idle = openIdleDatabase(file);
  if (idle === 'in-use') return holdThroughService(dataDir, to);
  try {
    await idle.copyTo(to);
  } catch (error) {
    idle.close();
    throw error;
  }
  return { isRunning: false, check: () => {}, release: async () => idle.close() };
}

async function holdThroughService(dataDir: string, to: string): Promise<LibrarySource> {
  const operations = readOperations(dataDir);
  if (operations === undefined) {
    const message =
      'The service runs without --operations. Stop it, or start it with --operations, then run the command again.';
    throw new ArchiveError('backup.no-operations', message);
  }
  const held = await askService(operations);
  try {
    const copy = join(dataDir, 'incoming', held.file);
    // A service that ends removes its copy.
    if (linkFile(copy, to) !== 'linked' && (await copyFileTo(copy, to)) === undefined) throw serviceEnded();
    await rm(copy, { force: true });
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    isRunning: true,
    check() {
      if (held.hasEnded()) throw serviceEnded();
    },
    release: async () => held.close(),
  };
}

const serviceEnded = () =>
  new ArchiveError('backup.service-ended', 'The service ended during the backup. Run the command again.');

interface HeldByService {
  /** The name of the copy in `incoming/`. */
  file: string;
  hasEnded(): boolean;
  close(): void;
}

function askService({ url, token }: { url: string; token: string }): Promise<HeldByService> {
  return new Promise((resolve, reject) => {
    let hasEnded = false;
    const asked = request(localUrl(url, '/snapshot'), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      agent: false,
    });
    const fail = () => {
      hasEnded = true;
      reject(serviceEnded());
    };
    asked.setTimeout(SILENCE_MS, () => asked.destroy());
    asked.on('error', () => reject(refused('The service does not answer.'))).on('close', fail);
    asked.on('response', (answer) => {
      if (answer.statusCode !== 200) {
        asked.destroy();
        const isBusy = answer.statusCode === 409;
        reject(refused(isBusy ? 'Another backup is being made.' : 'The service does not accept this command.'));
        return;
      }
      answer.on('error', fail);
      const lines = createInterface({ input: answer });
      // It repeats the errors of the answer.
      lines.on('error', fail).on('line', (line) => {
        const { state, file } = JSON.parse(line) as { state: string; file?: string };
        if (state === 'failed') reject(refused('The service could not copy its database. Its log has the reason.'));
        if (state === 'held' && file !== undefined && /^[0-9a-f]{32}\.sqlite$/.test(file)) {
          resolve({ file, hasEnded: () => hasEnded, close: () => void asked.destroy() });
        }
      });
    });
    asked.end();
  });
}

const refused = (message: string) => new ArchiveError('backup.refused', message);
