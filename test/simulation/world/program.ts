import type { Logger } from '../../../electron/engine/ports/logger.ts';
import type { Random } from '../../../electron/engine/ports/random.ts';
import { Scheduler } from '../../../electron/engine/scheduler/scheduler.ts';
import { probeSite } from '../../../electron/engine/sites/probe-site.ts';
import { SiteBreakers } from '../../../electron/engine/sites/site-breakers.ts';
import type { Database } from '../../../electron/engine/store/database.ts';
import { createUploads, type Uploads } from '../../../electron/engine/uploads/uploads.ts';
import { createWatch, type Watch } from '../../../electron/engine/watch/watch.ts';
import { appError } from '../../../shared/contract/app-error.ts';
import type { Upload, UploadEvent } from '../../../shared/model/uploads/upload.ts';
import { directConnections } from '../../helpers/engine/direct-network.ts';
import { type CrashPlan, journaledDatabase } from './journaled-database.ts';
import { simulatedSender } from './sender.ts';
import { simulatedClient } from './site-client.ts';
import { tellsOfStore } from './tamper.ts';
import type { Life } from './virtual-time.ts';
import type { World } from './world.ts';

/** One run of the real upload engine in the simulated world. */
export class Program {
  readonly life: Life;
  readonly uploads: Uploads;
  /** The part that watches folders; null in a scenario without a watched folder. */
  readonly watch: Watch | null;
  readonly #world: World;

  constructor(world: World, database: Database, plan: CrashPlan, life: Life) {
    this.#world = world;
    this.life = life;
    const { time, history, prng, scenario, files, station, tamper } = world;
    history.lives.push({ number: life.number, fromMs: time.elapsedMs, toMs: null });
    const clientFor = (site: string) => {
      if (world.holds('signed-out', site) && prng.chance(0.3)) throw appError('sign-in.required');
      return tamper.client(simulatedClient(world, life, site));
    };
    // The feed would update ten times a second; a simulated screen needs fewer updates.
    const clock = time.clockFor(life, (delayMs) => prng.int(0, delayMs === 100 ? 3000 : scenario.timerLateMs));
    const logger = this.#logger();
    const shared = {
      database: tamper.database(
        journaledDatabase(database, life, time, history, plan, () => time.later(prng.int(0, 4), life, () => {})),
      ),
      clock,
      scheduler: new Scheduler({ clock, logger }),
      random: randomOf(world),
      files: tamper.files(files.for(life)),
      volumes: files.volumes,
      digests: files.digestsFor(life),
      mediaFacts: async () => {
        throw new Error('no title of a simulated upload needs what is inside its file');
      },
      logger,
    };
    this.uploads = createUploads({
      ...shared,
      breakers: new SiteBreakers(clock),
      mover: files.moverFor(life),
      connections: directConnections(),
      parallelTransfers: scenario.parallelTransfers,
      sendForm: tamper.sender(simulatedSender(world, life)),
      // The files of the simulation have no bytes.
      prepareCaptions: async () => ({ bytes: null, guessed: null }),
      clientFor,
      probe: async (site) => probeSite(clientFor(site)),
      collectionName: async () => 'Lectures',
      siteName: (site) => site,
      // Bulk commands run in slices, so that failures occur between them.
      sliceRows: 1,
      disks: { isRotating: () => null },
      reconnect: () => {},
      isOfEdit: () => false,
    });
    this.uploads.queue.repair();
    this.watch =
      station &&
      createWatch({
        isCopy: false,
        ...shared,
        ...station.portsFor(life),
        queue: this.uploads.queue,
        uploads: this.uploads.rows,
        isKnownSite: () => true,
        describe: () => Promise.reject(new Error('no rule of a simulated folder uses a manifest')),
      });
    const countRows = database.prepare(
      'SELECT state, count(*) AS n FROM uploads WHERE cleared_at IS NULL GROUP BY state',
    );
    this.uploads.feed.onDidChange.on(({ rows, totals }) => {
      if (!life.alive) return;
      history.shown.push({
        atMs: time.elapsedMs,
        totals,
        stored: Object.fromEntries(countRows.all().map((row) => [String(row.state), Number(row.n)])),
        rows: rows.map(({ id, sentBytes, sizeBytes, state }) => ({ id, sentBytes, sizeBytes, state })),
      });
    });
    this.uploads.queue.start();
    shared.scheduler.start();
    this.watch?.start();
  }

  #logger(): Logger {
    const { history } = this.#world;
    const problem = (event: string, fields: Record<string, unknown> = {}) => {
      if (!this.life.alive) return;
      const text = JSON.stringify(fields);
      // A failed write of the database is logged, as intended.
      if (!tellsOfStore(text)) this.#world.fault(event, text);
    };
    return {
      debug: (event, fields) => {
        if (event !== 'upload.changed') return;
        // Rows that change together are announced after all are stored.
        const last = history.rows.findLast(({ row }) => row.id === fields?.id);
        if (last?.event === 'unknown') last.event = fields?.event as UploadEvent['kind'];
      },
      info: () => {},
      warn: () => {},
      error: problem,
    };
  }
}

function randomOf(world: World): Random {
  const hex = () => world.prng.int(0, 0xffff).toString(16).padStart(4, '0');
  return {
    bytes: (length) => Uint8Array.from({ length }, () => world.prng.int(0, 255)),
    uuid: () => `${hex()}${hex()}-${hex()}-4${hex().slice(1)}-a${hex().slice(1)}-${hex()}${hex()}${hex()}`,
  };
}

/** Returns whether the row waits for another upload of the same contents that only the user can continue. */
export function isBehindHeld(row: Upload, rows: readonly Upload[], queuePaused: boolean): boolean {
  if (row.error?.code !== 'upload.duplicate-under-way') return false;
  const candidate = rows.find(({ id }) => id === row.error?.details?.uploadId);
  return candidate !== undefined && isHeld(candidate, queuePaused);
}

/** Returns whether only the user can continue the row. */
export function isHeld(row: Pick<Upload, 'state'>, queuePaused: boolean): boolean {
  return row.state === 'paused' || (queuePaused && (row.state === 'queued' || row.state === 'waiting'));
}
