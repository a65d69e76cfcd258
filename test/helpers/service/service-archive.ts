import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../service/main.ts', import.meta.url));

export interface ArchiveRun {
  code: number | null;
  /** The first line of standard output, decoded. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read records of every shape
  record: any;
  stderr: string;
}

/** Runs `backup`, `verify` or `restore` of the service, with its output as JSON. */
export function archive(...args: string[]): Promise<ArchiveRun> {
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args, '--json'], { timeout: 120_000 }, (error, stdout, stderr) => {
      const [line = ''] = stdout.split('\n');
      resolve({ code: error ? (error.code as unknown as number) : 0, record: line && JSON.parse(line), stderr });
    });
  });
}

/** The stored files below a data directory or a backup, by name, with their paths. */
export function storedFiles(dir: string): Map<string, string> {
  const stored = join(dir, 'stored');
  return new Map(
    readdirSync(stored).flatMap((folder) =>
      readdirSync(join(stored, folder)).map((name) => [name, join(stored, folder, name)] as const),
    ),
  );
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Changes the lines of a manifest. */
export function editManifest(backup: string, edit: (lines: Record<string, unknown>[]) => unknown[]): void {
  const file = join(backup, 'manifest.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const edited = edit(lines.map((line) => JSON.parse(line)));
  writeFileSync(file, `${edited.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

/** Makes the manifest name the database as it is now: as somebody would who made a backup by hand. */
export function admitDatabase(backup: string): void {
  const file = join(backup, 'library.sqlite');
  const database = { size: statSync(file).size, sha256: sha256Of(readFileSync(file)) };
  editManifest(backup, ([head, ...lines]) => [{ ...head, database }, ...lines]);
}
