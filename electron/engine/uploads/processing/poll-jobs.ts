import { delaysPublication } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, type JobResult } from '../../scheduler/job-result.ts';
import type { SiteBreakers } from '../../sites/site-breakers.ts';
import { siteError } from '../../sites/site-wide-cause.ts';
import type { PolledUpload } from '../journal/upload-store.ts';
import { SitePolls, type SitePollTools } from './site-polls.ts';

export interface PollTools extends Omit<SitePollTools, 'report'> {
  breakers: SiteBreakers;
  /** Resolves when the site answers; otherwise throws the error that concerns the whole site. */
  probe(siteId: string): Promise<void>;
}

/** One round of polls at a site; its id is that of the site. */
interface PollRound extends Job {
  uploads: readonly PolledUpload[];
}

/** The interval of checks while a breaker is open: a fallback, because a breaker that closes wakes this lane. */
const CLOSED_AGAIN_MS = 10_000;
/** Files delivered within this time are added to one round of polls; the first poll of each comes later anyway. */
const GATHER_MS = 100;

/** Polls the processing of delivered uploads, one round per site at a time. See `SitePolls`. */
export class PollJobs implements JobKind<PollRound> {
  readonly name = 'poll';
  readonly #tools: PollTools;
  readonly #lane: Lane;
  readonly #sites = new Map<string, SitePolls>();
  #nextInMs: number | null = null;

  constructor(tools: PollTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  /** Wakes the lane soon after a delivery, together with further deliveries until then. */
  wakeSoon(): void {
    this.#lane.wakeIn(GATHER_MS);
  }

  slots(): number {
    return Number.POSITIVE_INFINITY;
  }

  due(): PollRound[] {
    const { store, journal, breakers } = this.#tools;
    const areAny = journal.counts.processing + journal.counts.publishing > 0;
    const polled = Map.groupBy(areAny ? store.polled() : [], ({ siteId }) => siteId);
    for (const siteId of this.#sites.keys()) if (!polled.has(siteId)) this.#site(siteId).setPolled([]);
    const rounds: PollRound[] = [];
    let soonest = Number.POSITIVE_INFINITY;
    for (const [siteId, all] of polled) {
      const isBlocked = breakers.isOpen(siteId);
      if (isBlocked) soonest = Math.min(soonest, CLOSED_AGAIN_MS);
      if (breakers.blocksReads(siteId)) continue;
      // In maintenance the site still reports processing, but refuses a publication.
      const uploads = all.filter((each) => !(isBlocked && each.state === 'publishing') && !this.#isForFollowUps(each));
      const inMs = this.#site(siteId).setPolled(uploads);
      if (this.#lane.has(siteId) || inMs === null) continue;
      if (inMs === 0) rounds.push({ id: siteId, uploads });
      else soonest = Math.min(soonest, inMs);
    }
    this.#nextInMs = Number.isFinite(soonest) ? soonest : null;
    return rounds;
  }

  /** Whether uploads of a site are being polled right now. */
  isPolling(siteId: string): boolean {
    return this.#lane.has(siteId);
  }

  nextInMs(): number | null {
    return this.#nextInMs;
  }

  async run({ id, uploads }: PollRound, signal: AbortSignal): Promise<JobResult> {
    await this.#site(id).poll(uploads, signal);
    return DONE;
  }

  #site(siteId: string): SitePolls {
    let site = this.#sites.get(siteId);
    if (!site) {
      const report: SitePollTools['report'] = async (id, error) => {
        const ofSite = await siteError(id, error, this.#tools);
        this.#tools.breakers.report(id, (ofSite ?? error).toData());
      };
      site = new SitePolls(siteId, { ...this.#tools, report });
      this.#sites.set(siteId, site);
    }
    return site;
  }

  /**
   * Returns whether an upload waits for its follow-ups: it is published only after its captions, thumbnail and tags were tried;
   * the end of a follow-up wakes this lane.
   */
  #isForFollowUps({ id, state }: PolledUpload): boolean {
    return state === 'publishing' && delaysPublication(this.#tools.store.get(id)?.followUps ?? []);
  }
}
