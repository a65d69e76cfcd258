import { ServerClock } from '../../../electron/engine/api/server-clock.ts';
import { Prng } from '../../helpers/data/prng.ts';
import type { FinalItem, History } from '../history.ts';
import type { Fault, Scenario } from '../scenario.ts';
import { emptyStationHistory } from '../station/history.ts';
import { STATION_SITE, Station } from '../station/station.ts';
import { SimulatedDisk } from './files.ts';
import { COLLECTION_ID, ServiceModel } from './service-model.ts';
import type { HeldFault } from './site-client.ts';
import { NO_TAMPER, type Tamper } from './tamper.ts';
import { type Life, VirtualTime } from './virtual-time.ts';

export { COLLECTION_ID };

/** Everything that outlives a run of the program: time, disk, services and the current failures. */
export class World {
  readonly scenario: Scenario;
  readonly prng: Prng;
  readonly time: VirtualTime;
  readonly disk: SimulatedDisk;
  readonly history: History;
  /** The station of the watched folder; null in a scenario without one. */
  readonly station: Station | null;
  readonly services = new Map<string, ServiceModel>();
  readonly #serverClocks = new Map<string, ServerClock>();

  /** The requests that have already got their error. */
  readonly #erred = new Set<string>();

  /** The layer between the program and this world. */
  readonly tamper: Tamper;

  constructor(scenario: Scenario, tamperOf: (world: World) => Tamper = () => NO_TAMPER) {
    this.scenario = scenario;
    this.prng = new Prng(scenario.seed, 2);
    this.time = new VirtualTime(new Prng(scenario.seed, 3), new Prng(scenario.seed, 7), scenario.clockMoves ?? 0);
    this.history = emptyHistory(scenario);
    this.tamper = tamperOf(this);
    this.disk = new SimulatedDisk(this.time, this.prng, this.history, scenario);
    this.station = scenario.station === undefined ? null : new Station(this, scenario.station);
    for (const site of sitesOf(scenario)) {
      const chance = {
        processingFails: () => this.strikes('processing-fails', site),
        processingHangs: () => this.strikes('processing-hangs', site),
        storesShort: () => this.strikes('stored-short', site),
      };
      const now = () => this.time.elapsedMs;
      this.services.set(site, new ServiceModel(site, scenario.service, this.history, now, chance));
    }
  }

  /** The files as runs of the program see them. */
  get files(): Pick<SimulatedDisk, 'for' | 'volumes' | 'digestsFor' | 'moverFor' | 'lying' | 'trashed'> {
    return this.station?.mounts ?? this.disk;
  }

  /** Returns the items of a site, for the final checks. */
  finalItems(site: string): FinalItem[] {
    return this.service(site).items.map(({ id, title, isForeign, status, files }) => ({
      site,
      id,
      title,
      isForeign,
      status,
      files: files.map(({ id, type, name, status, contents, bytes }) => ({ id, type, name, status, contents, bytes })),
    }));
  }

  service(site: string): ServiceModel {
    const service = this.services.get(site);
    if (!service) throw new Error(`no site ${site}`);
    return service;
  }

  /** Returns the clock of a site as one run of the program measured it. */
  serverClock(site: string, life: Life): ServerClock {
    const key = `${life.number} ${site}`;
    const { time } = this;
    const clock = { now: () => time.wallMs(), monotonic: () => time.elapsedMs, schedule: () => () => {} };
    const known = this.#serverClocks.get(key) ?? new ServerClock(clock);
    this.#serverClocks.set(key, known);
    return known;
  }

  /** Returns whether a failure of this kind affects this site now. */
  strikes(kind: Fault['kind'], site: string): boolean {
    const now = this.time.elapsedMs;
    for (const fault of this.scenario.faults) {
      if (fault.kind !== kind || now < fault.fromMs || now >= fault.toMs) continue;
      if ((fault.site === null || fault.site === site) && this.prng.chance(fault.rate)) return true;
    }
    return false;
  }

  /** Returns whether a state of the world is active, whatever its probability. */
  holds(kind: HeldFault, site: string): boolean {
    const now = this.time.elapsedMs;
    return this.scenario.faults.some(
      (fault) =>
        fault.kind === kind && now >= fault.fromMs && now < fault.toMs && (fault.site === null || fault.site === site),
    );
  }

  /** Returns whether a request gets its one error now. */
  errsNow(request: string): boolean {
    if (this.scenario.service.errsOnce !== true || this.#erred.has(request)) return false;
    this.#erred.add(request);
    return true;
  }

  /** Records an action that the program must never take. */
  fault(event: string, text: string): void {
    this.history.programFaults.push({ atMs: this.time.elapsedMs, event, text });
  }

  /** The duration of a message in one direction. */
  latencyMs(site: string): number {
    return this.strikes('slow', site) ? this.prng.spread(1000, 50_000) : this.prng.spread(1, 400);
  }
}

/** The sites that a scenario uploads to. */
export function sitesOf({ uploads, station }: Scenario): Set<string> {
  return new Set([...uploads.map(({ site }) => site), ...(station === undefined ? [] : [STATION_SITE])]);
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
    programFaults: [],
    lives: [],
    versions: [],
    givenUp: [],
    places: [],
    drive: [],
    taken: [],
    station: scenario.station === undefined ? null : emptyStationHistory(),
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
