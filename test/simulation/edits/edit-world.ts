import { ServerClock } from '../../../electron/engine/api/server-clock.ts';
import type { EditableMedia } from '../../../shared/model/edits/edit-ops.ts';
import { Prng } from '../../helpers/data/prng.ts';
import type { WireWorld } from '../world/site-client.ts';
import { type Life, VirtualTime, WORLD_EPOCH_MS } from '../world/virtual-time.ts';
import {
  type EditHistory,
  emptyEditHistory,
  type KnownCollectionValues,
  WATCHED,
  type Watched,
} from './edit-history.ts';
import { type EditScenario, type EditTrouble, OTHER_SITE } from './edit-scenario.ts';
import { LibraryModel, watchedValue } from './library-model.ts';

/** Everything that outlives a run of the program: time, libraries, and the current failures. */
export class EditWorld implements WireWorld {
  readonly scenario: EditScenario;
  readonly prng: Prng;
  readonly time: VirtualTime;
  readonly history: EditHistory;
  readonly shared: LibraryModel;
  readonly other: LibraryModel;
  /** What a program had read of an item when it sent a request with this body. */
  readonly #known = new WeakMap<object, EditableMedia>();
  readonly #deleting = new Map<string, EditableMedia>();
  readonly #knownCollections = new WeakMap<object, KnownCollectionValues>();
  readonly #clocks = new Map<string, ServerClock>();

  constructor(scenario: EditScenario) {
    this.scenario = scenario;
    this.prng = new Prng(scenario.seed, 22);
    this.time = new VirtualTime(new Prng(scenario.seed, 23), new Prng(scenario.seed, 24), 0);
    this.history = emptyEditHistory(scenario);
    this.shared = this.#library('shared');
    this.other = this.#library('other');
    for (const library of [this.shared, this.other]) {
      for (let count = 0; count < scenario.items; count += 1) library.add('editor', this.#oldItem(count));
    }
    this.history.effects.length = 0;
  }

  libraryOf(site: string): LibraryModel {
    return site === OTHER_SITE ? this.other : this.shared;
  }

  service(site: string) {
    return {
      answer: (method: string, url: URL, body: unknown) => {
        const isBody = typeof body === 'object' && body !== null;
        const collection = isBody ? (this.#knownCollections.get(body) ?? null) : null;
        const known = { item: this.#knownFor(site, method, url, body), collection };
        return this.libraryOf(site).answer(site, method, url, body, known);
      },
    };
  }

  /** Notes the item as a program had read it when it sends a request with this body; `body` undefined: a deletion. */
  noteKnown(site: string, body: unknown, item: EditableMedia): void {
    if (typeof body === 'object' && body !== null) this.#known.set(body, item);
    else this.#deleting.set(`${site} ${item.id}`, item);
  }

  /** Notes the collection as a program had read it when it sends a request with this body. */
  noteKnownCollection(body: unknown, values: KnownCollectionValues): void {
    if (typeof body === 'object' && body !== null) this.#knownCollections.set(body, values);
  }

  /** Notes that the person at an account sees these values of a collection. */
  noteSeenCollection(site: string, id: string, values: KnownCollectionValues): void {
    const atMs = this.time.elapsedMs;
    for (const [field, value] of Object.entries(values)) {
      this.history.seenCollections.push({ atMs, site, id, field, value });
    }
  }

  #knownFor(site: string, method: string, url: URL, body: unknown): EditableMedia | null {
    if (typeof body === 'object' && body !== null) return this.#known.get(body) ?? null;
    return method === 'DELETE' ? (this.#deleting.get(`${site} ${url.pathname.split('/')[3]}`) ?? null) : null;
  }

  /** Notes that the person at an account sees these values of an item before a decision. */
  noteSeen(site: string, item: EditableMedia, fields: readonly Watched[] = WATCHED): void {
    for (const field of fields) {
      this.history.seen.push({
        atMs: this.time.elapsedMs,
        site,
        itemId: item.id,
        field,
        value: watchedValue(item, field),
      });
    }
  }

  serverClock(site: string, life: Life): ServerClock {
    const key = `${life.number} ${site}`;
    const { time } = this;
    const clock = { now: () => time.wallMs(), monotonic: () => time.elapsedMs, schedule: () => () => {} };
    const known = this.#clocks.get(key) ?? new ServerClock(clock);
    this.#clocks.set(key, known);
    return known;
  }

  strikes(kind: EditTrouble['kind'], site: string): boolean {
    return this.#active(kind, site).some(({ rate }) => this.prng.chance(rate));
  }

  holds(kind: EditTrouble['kind'], site: string): boolean {
    return this.#active(kind, site).length > 0;
  }

  errsNow(): boolean {
    return false;
  }

  latencyMs(site: string): number {
    return this.strikes('slow', site) ? this.prng.spread(1000, 50_000) : this.prng.spread(1, 400);
  }

  fault(event: string, text: string): void {
    this.history.faults.push({ atMs: this.time.elapsedMs, event, text });
  }

  #active(kind: EditTrouble['kind'], site: string): EditTrouble[] {
    const now = this.time.elapsedMs;
    return this.scenario.troubles.filter(
      (trouble) =>
        trouble.kind === kind &&
        now >= trouble.fromMs &&
        now < trouble.toMs &&
        (trouble.site === null || trouble.site === site.charAt(0)),
    );
  }

  #library(name: string): LibraryModel {
    const { time, history, scenario } = this;
    const chance = {
      leavesOut: (site: string, id: string) =>
        this.holds('lists-empty', site) || (this.holds('lists-partial', site) && Number(id) % 3 === 0),
      countsToo: (site: string) => this.holds('counts-too', site),
      hasNoRights: (site: string) => this.holds('rights-lost', site),
    };
    // The wall clocks of the computers can be set; the clock of the library is never set.
    const nowMs = () => WORLD_EPOCH_MS + time.elapsedMs + scenario.service.clockAheadMs;
    return new LibraryModel(name, scenario.service, nowMs, chance, {
      onEffect: (fact) => history.effects.push({ atMs: time.elapsedMs, library: name, ...fact }),
      onCollectionEffect: (fact) => history.collectionEffects.push({ atMs: time.elapsedMs, library: name, ...fact }),
      onCollectionHidden: (site, id) => history.hiddenCollections.push({ site, id }),
      onLocalId: (site, id) => this.fault('order', `${site} named ${id} in a request`),
      onNull: (site, field) => this.fault('order', `${site} sent null as ${field}`),
    });
  }

  /** Items of different ages, some created in the same second. */
  #oldItem(index: number) {
    const at = new Date(WORLD_EPOCH_MS - 86_400_000 * 30 + Math.floor(index / 2) * 3600_000).toISOString();
    const instant = `${at.slice(0, 19)}Z`;
    const isPublic = this.prng.chance(0.3);
    return {
      createdOn: instant,
      modifiedOn: instant,
      byline: this.prng.pick(['', 'Ada']),
      tags: this.prng.chance(0.3) ? ['one'] : [],
      description: this.prng.pick(['', '<p>Old</p>', 'a <b>b</b> c']),
      status: isPublic ? ('published' as const) : ('draft' as const),
      publishOn: isPublic ? instant : null,
    };
  }
}
