import { toAppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/error-catalog.ts';
import type { SiteGates } from './site-gates.ts';

export interface ProbeTools {
  gates: SiteGates;
  /** Resolves when the site answers at all; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
}

/** Finds out whether sites whose gate is closed are back. */
export class SiteProbes {
  readonly #tools: ProbeTools;
  readonly #onAnswer: () => void;
  readonly #onTry: () => void;
  #underWay = 0;

  /** `onTry` is called when a site may be tried with an upload, `onAnswer` when a site was asked. */
  constructor(tools: ProbeTools, onTry: () => void, onAnswer: () => void) {
    this.#tools = tools;
    this.#onTry = onTry;
    this.#onAnswer = onAnswer;
  }

  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Asks the sites whose time has come. */
  look(): void {
    for (const { siteId, error } of this.#tools.gates.takeDueProbes()) this.#openOrReport(siteId, error.code);
  }

  /** Maintenance shows only in writes, so there a waiting row is the probe. */
  #openOrReport(siteId: string, code: string): void {
    const { gates, probe } = this.#tools;
    if (dispositionOf(code) === 'wait-site') {
      gates.openForTry(siteId);
      this.#onTry();
      return;
    }
    this.#underWay += 1;
    probe(siteId)
      .then(
        () => gates.open(siteId),
        (error: unknown) => gates.report(siteId, toAppError(error).toData()),
      )
      .finally(() => {
        this.#underWay -= 1;
        this.#onAnswer();
      });
  }
}
