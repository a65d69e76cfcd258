import { toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import type { Job, JobKind, Lane } from '../scheduler/job-kind.ts';
import { DONE, type JobResult } from '../scheduler/job-result.ts';
import type { SiteBreakers } from './site-breakers.ts';

export interface ProbeTools {
  breakers: SiteBreakers;
  /** Resolves when the site answers; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  /** Called when breakers became half-open: the jobs that wait for them may start as probes. */
  onDidHalfOpen(): void;
}

/** The name of the lane. */
export const PROBE_LANE = 'site-probe';

/** The lane that probes sites whose breaker is open: one job is one request to one site. */
export class SiteProbes implements JobKind {
  readonly name = PROBE_LANE;
  readonly #tools: ProbeTools;
  readonly #lane: Lane;

  constructor(tools: ProbeTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  get isBusy(): boolean {
    return this.#lane.size > 0;
  }

  /** A breaker opened, or a probe failed: sets the timer for the next probe. */
  plan(): void {
    const inMs = this.nextInMs();
    if (inMs !== null) this.#lane.wakeIn(inMs);
  }

  slots(): number {
    return Number.POSITIVE_INFINITY;
  }

  /**
   * Returns the due probes. After a maintenance or a 429 this lane sends no request: the breaker becomes half-open, and jobs of
   * other lanes are the probes.
   */
  due(): Job[] {
    const { breakers, onDidHalfOpen } = this.#tools;
    const due = breakers.takeDueProbes();
    const refusing = due.filter(({ error }) => dispositionOf(error.code) === 'wait-site');
    for (const { siteId } of refusing) breakers.halfOpen(siteId);
    if (refusing.length > 0) onDidHalfOpen();
    return due.filter((each) => !refusing.includes(each)).map(({ siteId }) => ({ id: siteId }));
  }

  nextInMs(): number | null {
    return this.#tools.breakers.nextProbeInMs();
  }

  async run({ id: siteId }: Job): Promise<JobResult> {
    const { breakers, probe } = this.#tools;
    try {
      await probe(siteId);
      breakers.close(siteId);
    } catch (error) {
      breakers.report(siteId, toAppError(error).toData());
    }
    return DONE;
  }
}
