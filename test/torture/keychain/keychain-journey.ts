import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Engine } from '../../../electron/engine/engine.ts';
import { createSystemKeychain } from '../../../electron/engine/ports/system/keychain-system.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../shared/contract/uploads.ts';
import { captureLogger } from '../../helpers/engine/capture-logger.ts';
import { allRows, createTestProfile, makeCollection, signInEngine } from '../../helpers/engine/engine-host.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';
import { type FastClock, fastClock } from '../../helpers/time/fast-clock.ts';
import { type Eavesdropper, eavesdrop } from '../../helpers/wire/eavesdropper.ts';
import { FaultySecrets, type PlannedFault } from './faulty-secrets.ts';

export interface JourneyReport {
  /** Whether the journey reached the call that was to fail. */
  wasHit: boolean;
  broken: string[];
  /** Codes of the reported reasons for an idle queue. */
  reasons: Set<string>;
  /** The number of sign-ins required after the first one. */
  signIns: number;
}

/** A service for all journeys, with a proxy that records the access tokens. */
export interface JourneyPlace {
  service: ServiceProcess;
  listener: Eavesdropper;
  stop(): Promise<void>;
}

const SPEED = 40;
const FILES = 5;
/** The longest time without a reported reason (on the engine's clock). */
const SILENCE_MS = 30_000;
/** A silence has at least so many looks: on a busy computer, the engine needs longer for a step, and so does a look. */
const SILENT_LOOKS = 150;
/** Everything ends long before this (on the engine's clock). */
const TIMEOUT_MS = 60 * 60_000;
const TOKEN_LIFE_MS = 3_600_000;

export async function openPlace(): Promise<JourneyPlace> {
  const service = await startService();
  const listener = await eavesdrop(service.baseUrl);
  await service.control('POST', '/faults', {
    method: 'POST',
    path: '^/upload/',
    times: null,
    action: { kind: 'delay', ms: 60 },
  });
  return {
    service,
    listener,
    async stop() {
      await listener.stop();
      await service.stop();
    },
  };
}

/**
 * A sign-in, uploads with a refresh in between, a restart with more uploads, and a sign-out, with a keychain that fails
 * as planned. Returns the violations.
 */
export async function travel(place: JourneyPlace, plan: PlannedFault): Promise<JourneyReport> {
  const journey = new Journey(place, plan);
  try {
    return await journey.run();
  } finally {
    await journey.remove();
  }
}

class Journey {
  readonly #place: JourneyPlace;
  readonly #clock = skippingClock(SPEED);
  readonly #secrets: FaultySecrets;
  readonly #profile;
  readonly #dir = mkdtempSync(join(tmpdir(), 'mediadesk-keychain-'));
  readonly #logger = captureLogger();
  readonly #shown: unknown[] = [];
  readonly #broken: string[] = [];
  readonly #reasons = new Set<string>();
  #signIns = 0;
  #engine: Engine | null = null;

  constructor(place: JourneyPlace, plan: PlannedFault) {
    this.#place = place;
    this.#profile = createTestProfile(place.service);
    this.#secrets = new FaultySecrets(this.#clock, plan);
  }

  async run(): Promise<JourneyReport> {
    const engine = await this.#open();
    const siteId = await signInEngine(engine, this.#target());
    await this.#add(engine, siteId);
    await this.#work(engine, 1);
    this.#clock.skip(TOKEN_LIFE_MS);
    await this.#work(engine, 3);
    const { keptIn } = await this.#site(engine);
    const lasted = this.#secrets.isFailing;
    await this.#stop(engine);

    const next = await this.#open();
    const needed = await this.#work(next, FILES);
    // A token that could not be stored until the end is lost with the process; nothing else is a reason to require a
    // sign-in.
    if (needed > 0 && (keptIn !== 'memory' || !lasted))
      this.#broken.push(`a sign-in that was kept in ${keptIn} was lost`);
    await this.#signOut(next, siteId);
    await this.#checkLibrary(await allRows(next));
    this.#checkSecrecy();
    return {
      wasHit: this.#secrets.wasHit,
      broken: this.#broken,
      reasons: this.#reasons,
      signIns: this.#signIns,
    };
  }

  async remove(): Promise<void> {
    await this.#engine?.stop();
    this.#profile.remove();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Opens an engine as another process would: with its own connection to the keychain. */
  async #open(): Promise<Engine> {
    const load = async () => this.#secrets;
    const keychain = createSystemKeychain({ clock: this.#clock, load, platform: 'linux' });
    const engine = await this.#profile.open({
      clock: this.#clock,
      keychain,
      logger: this.#logger,
      parallelTransfers: 2,
    });
    this.#engine = engine;
    engine.on('onDidChangeSites', (sites) => this.#shown.push(sites));
    engine.on('onDidChangeUploads', ({ rows }) => {
      // A counted attempt is shown with its error.
      const counted = rows.find(({ attempts, error }) => attempts > 0 && error?.code.startsWith('keychain.'));
      if (counted) this.#broken.push(`${counted.fileName} used up a retry for the keychain`);
    });
    return engine;
  }

  /** Stops an engine. With a working keychain the clock runs at real speed: a busy computer needs some real seconds for it. */
  async #stop(engine: Engine): Promise<void> {
    if (!this.#secrets.isFailing) this.#clock.setSpeed(1);
    await engine.stop();
    this.#clock.setSpeed(SPEED);
  }

  #target() {
    const { service, listener } = this.#place;
    return { baseUrl: listener.baseUrl, clientId: service.clientId, admin: service.admin };
  }

  async #add(engine: Engine, siteId: string): Promise<void> {
    const collectionId = await makeCollection(engine, siteId, `Keychain ${this.#dir.slice(-6)}`);
    const folder = join(this.#dir, 'files');
    mkdirSync(folder);
    for (let index = 0; index < FILES; index += 1) {
      writeFileSync(join(folder, `take ${index}.bin`), `${this.#dir} ${index} `.repeat(500));
    }
    const defaults = batchDefaultsSchema.parse({});
    await engine.call('uploads.add', { siteId, collectionId, paths: [folder], defaults });
  }

  /**
   * Waits until this number of uploads is complete. Signs in when required; returns how often. An idle queue must
   * report its reason.
   */
  async #work(engine: Engine, wanted: number): Promise<number> {
    engine.startUploads();
    let signIns = 0;
    let lastSeen = '';
    let since = this.#clock.monotonic();
    const beganAt = since;
    let looks = 0;
    for (;;) {
      const { counts, blockedBy } = await engine.call('uploads.totals', null);
      if (counts.complete >= wanted) return signIns;
      if (blockedBy !== null) this.#reasons.add(blockedBy.code);
      const now = this.#clock.monotonic();
      const seen = JSON.stringify(counts);
      looks = seen === lastSeen ? looks + 1 : 0;
      if (seen !== lastSeen) since = now;
      lastSeen = seen;
      if (counts.failed > 0) return this.#giveUp(engine, 'failed', signIns);
      if (now - since > SILENCE_MS && looks > SILENT_LOOKS && blockedBy === null && (await this.#isUntold(engine))) {
        return this.#giveUp(engine, 'stalls, and no reason is shown', signIns);
      }
      if (now - beganAt > TIMEOUT_MS) return this.#giveUp(engine, 'never comes to an end', signIns);
      if ((await this.#site(engine)).state === 'needs-sign-in') {
        signIns += 1;
        this.#signIns += 1;
        await signInEngine(engine, this.#target());
      }
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
  }

  /** Returns whether nothing runs, and an upload waits without a reason. */
  async #isUntold(engine: Engine): Promise<boolean> {
    const open = (await allRows(engine)).filter(({ state }) => state !== 'complete');
    const isAtWork = open.some(({ state }) => state !== 'queued' && state !== 'waiting');
    return !isAtWork && open.some(({ error }) => error === null);
  }

  async #giveUp(engine: Engine, how: string, signIns: number): Promise<number> {
    const rows = (await allRows(engine)).map(({ state, error }) => `${state} ${error?.code ?? ''}`);
    this.#broken.push(`${how}: ${rows.join(', ')}`);
    return signIns;
  }

  async #site(engine: Engine): Promise<Site> {
    const [site, ...more] = await engine.call('sites.list', null);
    if (site === undefined || more.length > 0) throw new Error('not one account');
    return site;
  }

  /** An incomplete sign-out reports that, and can be repeated. */
  async #signOut(engine: Engine, siteId: string): Promise<void> {
    for (;;) {
      try {
        await engine.call('sites.signOut', { siteId });
        break;
      } catch (error) {
        this.#shown.push(error);
        if (!(error instanceof AppError) || !error.code.startsWith('keychain.')) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    if (!this.#secrets.isEmpty) this.#broken.push('a sign-out left something in the keychain');
  }

  async #checkLibrary(rows: readonly UploadRow[]): Promise<void> {
    this.#shown.push(rows);
    if (rows.length !== FILES) this.#broken.push(`${rows.length} rows`);
    for (const { fileName, state, fileId, sha256 } of rows) {
      if (state !== 'complete') this.#broken.push(`${fileName} is ${state}`);
      if (fileId === null || state !== 'complete') continue;
      const stored = await this.#place.service.control<{ sha256: string }>('GET', `/files/${fileId}/sha256`);
      if (stored.sha256 !== sha256) this.#broken.push(`${fileName} has other bytes`);
    }
    const items = new Set(rows.map(({ mediaId }) => mediaId));
    if (items.size !== FILES) this.#broken.push(`${items.size} items for ${FILES} files`);
  }

  /** Checks that no token is in a file of the profile, in the log, or in anything that is shown. */
  #checkSecrecy(): void {
    const files = readdirSync(this.#profile.dir, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const texts = new Map(files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]));
    texts.set('the log', this.#logger.text()).set('what is shown', inspect(this.#shown, { depth: 20 }));
    const secrets = [...this.#secrets.seen, ...this.#place.listener.tokens()];
    if (secrets.length < 4) this.#broken.push(`only ${secrets.length} secrets were seen`);
    for (const [name, text] of texts) {
      if (secrets.some((secret) => text.includes(secret))) this.#broken.push(`a secret is in ${name}`);
    }
  }
}

/** A fast clock that can also jump, as after a sleep. */
function skippingClock(speed: number): FastClock & { skip(ms: number): void } {
  const clock = fastClock(speed);
  let skipped = 0;
  return {
    now: () => clock.now() + skipped,
    monotonic: () => clock.monotonic() + skipped,
    schedule: (delayMs, task) => clock.schedule(delayMs, task),
    setSpeed: (next) => clock.setSpeed(next),
    skip(ms) {
      skipped += ms;
    },
  };
}
