import { setImmediate as nextTurn } from 'node:timers/promises';
import { toAppError } from '../../../shared/contract/app-error.ts';
import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { problem } from './findings.ts';

/** One group of checks. If it throws, the error becomes a finding, so that a failed check is visible. */
export interface DoctorCheck {
  name: string;
  run(): Finding[] | Promise<Finding[]>;
}

/** Runs the checks one after the other, with other work of this thread in between. */
export async function runDoctor(checks: readonly DoctorCheck[], now: number): Promise<DoctorReport> {
  const findings: Finding[] = [];
  for (const { name, run } of checks) {
    await nextTurn();
    try {
      findings.push(...(await run()));
    } catch (error) {
      const { code, message, nextStep, details } = toAppError(error);
      const text = `A check could not be made (${name}): ${message}`;
      findings.push(
        problem({ code: 'doctor.check-failed', message: text, nextStep, details: { name, code, ...details } }),
      );
    }
  }
  return { checkedAt: now, findings };
}
