import { FAULT_MODES, KEYCHAIN_FAULTS, type PlannedFault } from './faulty-secrets.ts';
import { type JourneyReport, openPlace, travel } from './keychain-journey.ts';

export interface KeychainReport {
  journeys: number;
  /** The number of keychain calls in one journey. */
  calls: number;
  /** Journeys in which the user had to sign in again, because nothing could be stored until the end. */
  signIns: number;
  /** Every reported reason for an idle queue. */
  reasons: Set<string>;
  broken: string[];
}

/** More calls than a journey makes. */
const MOST_CALLS = 200;
const LANES = 4;

/**
 * Lets every keychain call of a journey fail in turn. `thorough`: with every kind and duration of fault; otherwise each
 * with one kind, in rotation, and every third with long faults, too.
 */
export async function failKeychainCalls(
  { thorough }: { thorough: boolean },
  onProgress: (line: string) => void,
): Promise<KeychainReport> {
  const place = await openPlace();
  const report: KeychainReport = { journeys: 0, calls: MOST_CALLS, signIns: 0, reasons: new Set(), broken: [] };
  const note = (plan: PlannedFault, { wasHit, broken, reasons, signIns }: JourneyReport) => {
    if (!wasHit) report.calls = Math.min(report.calls, plan.nth - 1);
    report.journeys += 1;
    report.signIns += signIns > 0 ? 1 : 0;
    for (const code of reasons) report.reasons.add(code);
    const name = `${plan.kind} ${plan.mode} at the ${plan.nth}th call`;
    for (const each of broken) report.broken.push(`${name}: ${each}`);
    onProgress(`${name}: ${broken.length === 0 ? 'ok' : broken.join('; ')}`);
  };
  const plans = plansOf(thorough);
  const lane = async () => {
    for (const plan of plans) {
      // The journey ended before its fault occurred: later faults would not occur either.
      if (plan.nth > report.calls) return;
      note(plan, await travel(place, plan));
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    return report;
  } finally {
    await place.stop();
  }
}

function* plansOf(thorough: boolean): Generator<PlannedFault> {
  for (let nth = 1; nth <= MOST_CALLS; nth += 1) {
    for (const [index, kind] of KEYCHAIN_FAULTS.entries()) {
      for (const mode of FAULT_MODES) {
        const isTurn = mode === 'once' ? nth % 3 === index : nth % 9 === 3 * index;
        if (thorough || isTurn) yield { kind, mode, nth };
      }
    }
  }
}
