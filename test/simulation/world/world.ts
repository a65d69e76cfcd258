import { ServerClock } from '../../../electron/engine/api/server-clock.ts';
import { Prng } from '../../helpers/prng.ts';
import type { History } from '../history.ts';
import type { Scenario, Trouble } from '../scenario.ts';
import { SimulatedDisk } from './files.ts';
import { COLLECTION_ID, ServiceModel } from './service-model.ts';
import { NO_TAMPER, type Tamper } from './tamper.ts';
import { type Life, VirtualTime } from './virtual-time.ts';

export { COLLECTION_ID };

/** What outlives the program: time, the disk, the services and the weather between them. */
export class World {
  readonly scenario: Scenario;
  readonly prng: Prng;
  readonly time: VirtualTime;
  readonly disk: SimulatedDisk;
  readonly history: History;
  readonly services = new Map<string, ServiceModel>();
  readonly #serverClocks = new Map<string, ServerClock>();

  /** Requests that have met their error. */
  readonly #erred = new Set<string>();

  /** What stands between the program and all this. */
  readonly tamper: Tamper;

  constructor(scenario: Scenario, tamperOf: (world: World) => Tamper = () => NO_TAMPER) {
    this.scenario = scenario;
    this.prng = new Prng(scenario.seed, 2);
    this.time = new VirtualTime(new Prng(scenario.seed, 3), new Prng(scenario.seed, 7), scenario.clockMoves ?? 0);
    this.history = emptyHistory(scenario);
    this.tamper = tamperOf(this);
    this.disk = new SimulatedDisk(this.time, this.prng, this.history, scenario);
    for (const site of new Set(scenario.uploads.map((upload) => upload.site))) {
      const chance = {
        processingFails: () => this.strikes('processing-fails', site),
        processingHangs: () => this.strikes('processing-hangs', site),
        storesShort: () => this.strikes('stored-short', site),
      };
      const now = () => this.time.elapsedMs;
      this.services.set(site, new ServiceModel(site, scenario.service, this.history, now, chance));
    }
  }

  service(site: string): ServiceModel {
    const service = this.services.get(site);
    if (!service) throw new Error(`no site ${site}`);
    return service;
  }

  /** What one life of the program knows of the clock of a site. */
  serverClock(site: string, life: Life): ServerClock {
    const key = `${life.number} ${site}`;
    const { time } = this;
    const clock = { now: () => time.wallMs(), monotonic: () => time.elapsedMs, schedule: () => () => {} };
    const known = this.#serverClocks.get(key) ?? new ServerClock(clock);
    this.#serverClocks.set(key, known);
    return known;
  }

  /** Whether a trouble of this kind happens to this site at this moment. */
  strikes(kind: Trouble['kind'], site: string): boolean {
    const now = this.time.elapsedMs;
    for (const trouble of this.scenario.troubles) {
      if (trouble.kind !== kind || now < trouble.fromMs || now >= trouble.toMs) continue;
      if ((trouble.site === null || trouble.site === site) && this.prng.chance(trouble.rate)) return true;
    }
    return false;
  }

  /** Whether a state of the world holds, whatever its rate. */
  holds(kind: 'offline' | 'maintenance' | 'signed-out' | 'keychain-locked', site: string): boolean {
    const now = this.time.elapsedMs;
    return this.scenario.troubles.some(
      (trouble) =>
        trouble.kind === kind &&
        now >= trouble.fromMs &&
        now < trouble.toMs &&
        (trouble.site === null || trouble.site === site),
    );
  }

  /** Whether a request meets its one error now. */
  errsNow(request: string): boolean {
    if (this.scenario.service.errsOnce !== true || this.#erred.has(request)) return false;
    this.#erred.add(request);
    return true;
  }

  /** Notes what the program must never do. */
  fault(event: string, text: string): void {
    this.history.faults.push({ atMs: this.time.elapsedMs, event, text });
  }

  /** How long a message takes one way. */
  latencyMs(site: string): number {
    return this.strikes('slow', site) ? this.prng.spread(1000, 50_000) : this.prng.spread(1, 400);
  }
}

function emptyHistory(scenario: Scenario): History {
  return {
    scenario,
    rows: [],
    requests: [],
    effects: [],
    transfers: [],
    commands: [],
    overtakings: [],
    pauses: [],
    shown: [],
    faults: [],
    lives: [],
    versions: [],
    givenUp: [],
    places: [],
    drive: [],
    taken: [],
    final: {
      atMs: 0,
      acceptedIds: [],
      rows: [],
      items: [],
      lying: [],
      trash: [],
      integrity: '',
      idle: false,
      queuePaused: false,
      receipts: [],
    },
  };
}
