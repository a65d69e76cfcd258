import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Prng } from '../../helpers/data/prng.ts';
import { archive, storedFiles } from '../../helpers/service/service-archive.ts';
import { clientFor } from '../../helpers/service/service-client.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { integrityFaults } from '../../helpers/system/integrity.ts';
import { withSeed } from '../with-seed.ts';
import { checkItems, type KeptItem, type LoadedLibrary, OPERATED, openLoadedLibrary } from './loaded-library.ts';
import { randomMoment } from './random-moment.ts';

const MAIN = fileURLToPath(new URL('../../../service/main.ts', import.meta.url));
const WITHIN_MS = 60_000;
/** What a command says when its service is gone. */
const SERVICE_GONE = ['backup.service-ended', 'backup.refused', 'backup.no-operations'];

/** What was found after kills. */
export interface ArchiveKills {
  /** Kills of the command `backup`: nothing was there, a part under the other name, or a whole backup. */
  backups: { nothing: number; partial: number; whole: number };
  /** Kills of `restore`: no data directory or an empty one, one that no service starts on, or a whole library. */
  restores: { nothing: number; refused: number; whole: number };
  /** Kills of the service while a backup was made: the command failed, or made a whole backup. */
  services: { failed: number; whole: number };
}

/**
 * Kills `backup`, `restore`, and the service while a backup is made, in turns and at random moments, `rounds` times each, while items
 * come and go. Throws when a backup that has its name lacks anything, when a service starts on half of a library, when the next command
 * does not succeed, or when the library was harmed.
 */
export function killArchives(rounds: number, seed: number, say: (line: string) => void): Promise<ArchiveKills> {
  return withSeed(seed, (prng) => killInTurns(rounds, prng, say));
}

/** What one campaign works with. */
interface Campaign {
  library: LoadedLibrary;
  place: string;
  prng: Prng;
  found: ArchiveKills;
  /** How long the last command took that was not killed. */
  tookMs: number;
}

async function killInTurns(rounds: number, prng: Prng, say: (line: string) => void): Promise<ArchiveKills> {
  const place = mkdtempSync(join(tmpdir(), 'library-killed-archives-'));
  const library = await openLoadedLibrary(join(place, 'data'), prng);
  const found: ArchiveKills = {
    backups: { nothing: 0, partial: 0, whole: 0 },
    restores: { nothing: 0, refused: 0, whole: 0 },
    services: { failed: 0, whole: 0 },
  };
  const campaign: Campaign = { library, place, prng, found, tookMs: 0 };
  try {
    await library.load();
    await wait(() => library.kept().size >= 10);
    for (let round = 1; round <= rounds; round += 1) {
      await makeWhole(campaign, join(place, 'whole'));
      await killBackup(campaign);
      await killRestore(campaign);
      await killServiceOfBackup(campaign);
      rmSync(join(place, 'whole'), { recursive: true });
      if (round % 10 === 0) say(`${round} rounds: ${JSON.stringify(found)}`);
    }
    await library.rest();
    await checkLeftovers(library);
    return found;
  } finally {
    await library.rest().catch(() => {});
    await library.service.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

/** Makes a backup that nobody kills, and checks it. */
async function makeWhole(campaign: Campaign, to: string): Promise<void> {
  const { library } = campaign;
  const before = [...library.kept()];
  const startedAt = performance.now();
  const made = await archive('backup', '--data', library.service.dataDir, '--to', to);
  campaign.tookMs = performance.now() - startedAt;
  if (made.code !== 0) throw new Error(`A backup failed: ${JSON.stringify(made)}`);
  await checkBackup(to, stillKept(library, before));
}

/** Those of the items that were not deleted since. */
function stillKept(library: LoadedLibrary, items: readonly KeptItem[]): KeptItem[] {
  return items.filter((item) => library.kept().has(item));
}

async function checkBackup(backup: string, items: Iterable<KeptItem>): Promise<void> {
  const verified = await archive('verify', backup);
  if (verified.code !== 0) throw new Error(`A backup that has its name is not whole: ${JSON.stringify(verified)}`);
  checkItems(backup, items);
}

/** Starts a command that fills folders, and kills it at a random moment. Resolves when it has ended. */
async function startAndKill(
  { prng, library, tookMs }: Campaign,
  fills: readonly string[],
  args: readonly string[],
): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: 'ignore' });
  const exit = once(child, 'exit');
  await randomMoment({ fills, files: library.kept().size, tookMs, hasEnded: () => child.exitCode !== null }, prng);
  child.kill('SIGKILL');
  await exit;
}

async function killBackup(campaign: Campaign): Promise<void> {
  const { library, place, prng, found } = campaign;
  const to = join(place, 'killed');
  const before = [...library.kept()];
  const copies = prng.chance(0.5) ? ['--copy'] : [];
  const args = ['backup', '--data', library.service.dataDir, '--to', to, ...copies];
  await startAndKill(campaign, [`${to}.partial`, to], args);
  if (existsSync(to)) {
    found.backups.whole += 1;
    if (existsSync(`${to}.partial`)) throw new Error('A backup has both names.');
    await checkBackup(to, stillKept(library, before));
  } else if (existsSync(`${to}.partial`)) {
    found.backups.partial += 1;
    const refused = await archive('backup', '--data', library.service.dataDir, '--to', to);
    if (refused.record?.error?.code !== 'backup.interrupted-before') {
      throw new Error(`An interrupted backup was not noticed: ${JSON.stringify(refused)}`);
    }
    rmSync(`${to}.partial`, { recursive: true });
  } else found.backups.nothing += 1;
  if (!existsSync(to)) await makeWhole(campaign, to);
  rmSync(to, { recursive: true });
}

async function killRestore(campaign: Campaign): Promise<void> {
  const { place, prng, found } = campaign;
  const [from, target] = [join(place, 'whole'), join(place, 'restored')];
  await startAndKill(campaign, [target], ['restore', '--from', from, '--data', target]);
  const names = existsSync(target) ? readdirSync(target) : [];
  if (names.length === 0) found.restores.nothing += 1;
  else if (await startsOn(target)) found.restores.whole += 1;
  else {
    found.restores.refused += 1;
    rmSync(target, { recursive: true });
  }
  if (names.length === 0 || !existsSync(target)) {
    await restore(from, target);
    if (prng.chance(0.2) && !(await startsOn(target))) throw new Error('No service starts on a restored library.');
  }
  compareLibraries(from, target);
  rmSync(target, { recursive: true });
}

async function restore(from: string, target: string): Promise<void> {
  const restored = await archive('restore', '--from', from, '--data', target);
  if (restored.code !== 0) throw new Error(`A backup could not be restored: ${JSON.stringify(restored)}`);
}

/** Returns whether a service starts on a data directory and answers; false: it says that the directory is not completely restored. */
async function startsOn(dataDir: string): Promise<boolean> {
  let service: Awaited<ReturnType<typeof startService>>;
  try {
    service = await startService({ dataDir, options: OPERATED });
  } catch (error) {
    if (/was being restored/.test(String(error))) return false;
    throw error;
  }
  try {
    const { status } = await (await clientFor(service)).get('/api2/media');
    if (status !== 200) throw new Error(`A restored library answers with ${status}.`);
    return true;
  } finally {
    await service.stop();
  }
}

/** Throws unless a restored library has each stored file of the backup that it comes from, and an intact database. */
function compareLibraries(backup: string, restored: string): void {
  const faults = integrityFaults(join(restored, 'library.sqlite'));
  if (faults.length > 0) throw new Error(`A restored database is damaged: ${faults.join(', ')}`);
  const there = storedFiles(restored);
  for (const name of storedFiles(backup).keys()) {
    if (!there.has(name)) throw new Error(`A restored library lacks ${name}.`);
  }
}

async function killServiceOfBackup(campaign: Campaign): Promise<void> {
  const { library, place, prng, found, tookMs } = campaign;
  const { service } = library;
  const to = join(place, 'orphaned');
  const before = [...library.kept()];
  const copies = prng.chance(0.5) ? ['--copy'] : [];
  const args = ['backup', '--data', service.dataDir, '--to', to, '--json', ...copies];
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = outcomeOf(child);
  const hasEnded = () => child.exitCode !== null;
  await randomMoment({ fills: [`${to}.partial`], files: library.kept().size, tookMs, hasEnded }, prng);
  await service.kill9();
  await library.rest();
  // A service may be started again while the command has not noticed yet that the earlier one ended. It can't be when the
  // command has found no service, and has the library to itself.
  if (prng.chance(0.5)) await service.restart().catch(() => {});
  const { code, record } = await ended;
  if (existsSync(`${to}.partial`)) throw new Error('A backup that failed has left its folder.');
  if (code === 0) {
    found.services.whole += 1;
    await checkBackup(to, stillKept(library, before));
    rmSync(to, { recursive: true });
  } else {
    found.services.failed += 1;
    if (existsSync(to)) throw new Error('A backup that failed has its name.');
    if (!SERVICE_GONE.includes(record?.error?.code)) throw new Error(`Not a clear error: ${JSON.stringify(record)}`);
  }
  await service.kill9();
  await service.restart();
  const left = readdirSync(join(service.dataDir, 'incoming'));
  if (left.length > 0) throw new Error(`A start left ${left.join(', ')}`);
  await library.load();
}

async function outcomeOf(child: ChildProcess) {
  let text = '';
  child.stdout?.on('data', (part: Buffer) => {
    text += part.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, record: text === '' ? undefined : JSON.parse(text) };
}

/** After everything, all items are there, no file is without a row, and nothing is left of a copy. */
async function checkLeftovers({ service, kept }: LoadedLibrary): Promise<void> {
  const client = await clientFor(service);
  await wait(() => readdirSync(join(service.dataDir, 'incoming')).length === 0);
  const { count } = (await client.get('/api2/media/count')).body as { count: number };
  if (count < kept().size) throw new Error(`${kept().size} items must be there, ${count} are.`);
  await service.kill9();
  checkItems(service.dataDir, kept());
  const faults = integrityFaults(join(service.dataDir, 'library.sqlite'));
  if (faults.length > 0) throw new Error(`The database is damaged: ${faults.join(', ')}`);
  await service.restart();
}

async function wait(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Not within ${WITHIN_MS} ms: ${isSo}`);
    await sleep(20);
  }
}
