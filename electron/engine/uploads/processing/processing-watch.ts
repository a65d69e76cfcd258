import { holdsPublication } from '../../../../shared/model/follow-ups.ts';
import { whenStoreWorks } from '../../scheduler/when-store-works.ts';
import type { SiteGates } from '../../sites/site-gates.ts';
import type { FollowedUpload } from '../journal/upload-store.ts';
import { SiteWatch, type SiteWatchTools } from './site-watch.ts';

export interface WatchTools extends Omit<SiteWatchTools, 'report'> {
  gates: SiteGates;
}

/** Whoever opens a site's gate wakes the watch; this is for the case that nobody did. */
const CLOSED_AGAIN_MS = 10_000;
/** Files that are delivered within this time are taken up together; the first look at each comes later anyway. */
const GATHER_MS = 100;

/** Follows delivered uploads through the service's processing, each site by itself. See `SiteWatch`. */
export class ProcessingWatch {
  readonly #tools: WatchTools;
  readonly #stop = new AbortController();
  readonly #sites = new Map<string, SiteWatch>();
  #started = false;
  #cancelTimer: () => void = () => {};
  #cancelGathering: (() => void) | null = null;

  constructor(tools: WatchTools) {
    this.#tools = tools;
  }

  start(): void {
    this.#started = true;
    this.wake();
  }

  /** Something was delivered: it is taken up soon, with whatever else is delivered until then. */
  wakeSoon(): void {
    this.#cancelGathering ??= this.#tools.clock.schedule(GATHER_MS, () => {
      this.#cancelGathering = null;
      this.wake();
    });
  }

  /** A site came back, or a person wants something: see whether there is anything to look at. */
  wake(): void {
    if (!this.#started || this.#stop.signal.aborted) return;
    this.#cancelTimer();
    const later = whenStoreWorks(
      this.#tools,
      'watch',
      () => this.#lookAround(),
      () => this.wake(),
    );
    if (later !== null) this.#cancelTimer = later;
  }

  #lookAround(): void {
    const { store, journal, gates, clock } = this.#tools;
    const areAny = journal.counts.processing + journal.counts.publishing > 0;
    const followed = Map.groupBy(areAny ? store.followed() : [], ({ siteId }) => siteId);
    for (const siteId of this.#sites.keys()) if (!followed.has(siteId)) this.#site(siteId).follow([]);
    let soonest: number | null = null;
    for (const [siteId, all] of followed) {
      const isClosed = gates.isClosed(siteId);
      if (isClosed) soonest = Math.min(soonest ?? CLOSED_AGAIN_MS, CLOSED_AGAIN_MS);
      if (gates.holdsReads(siteId)) continue;
      const site = this.#site(siteId);
      // In maintenance the site tells how far processing is; to publish is a change.
      const uploads = all.filter((each) => !(isClosed && each.state === 'publishing') && !this.#isForFollowUps(each));
      const inMs = site.follow(uploads);
      if (site.isBusy || inMs === null) continue;
      if (inMs === 0) site.start(uploads, () => this.wake());
      else soonest = Math.min(soonest ?? inMs, inMs);
    }
    if (soonest !== null) this.#cancelTimer = clock.schedule(Math.max(50, soonest), () => this.wake());
  }

  stop(): void {
    this.#cancelTimer();
    this.#cancelGathering?.();
    this.#stop.abort(new Error('the watch was stopped'));
  }

  async whenStopped(): Promise<void> {
    await Promise.all(Array.from(this.#sites.values(), (site) => site.whenDone()));
  }

  #site(siteId: string): SiteWatch {
    let site = this.#sites.get(siteId);
    if (!site) {
      const report: SiteWatchTools['report'] = (id, error) => this.#tools.gates.report(id, error.toData());
      site = new SiteWatch(siteId, { ...this.#tools, report }, this.#stop.signal);
      this.#sites.set(siteId, site);
    }
    return site;
  }

  /** Published only after its captions, thumbnail and tags were tried: then the watch is woken again. */
  #isForFollowUps({ id, state }: FollowedUpload): boolean {
    return state === 'publishing' && holdsPublication(this.#tools.store.get(id)?.followUps ?? []);
  }
}
