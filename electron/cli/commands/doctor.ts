import { join } from 'node:path';
import { AppError, type AppErrorData } from '../../../shared/contract/app-error.ts';
import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { inspectProfile } from '../../engine/doctor/inspect-profile.ts';
import type { GlobalOptions } from '../arguments/global-options.ts';
import { noOperands } from '../arguments/options.ts';
import { defineCommand, type RunContext } from '../command-base/define-command.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';
import { openEngine, profileDirOf } from '../session/session.ts';

interface DoctorInput {
  /** Check every complete upload in its library, not only the latest. */
  all: boolean;
}

// Not defined as an engine command: the engine cannot open a damaged profile, nor one in use.
export const doctorCommand = defineCommand<DoctorInput>({
  name: 'doctor',
  operands: '',
  summary: 'Check the queue, files and libraries for problems, without changing anything.',
  options: { all: { value: null, help: 'Check all complete uploads in the library, not only the latest.' } },
  read(values, operands) {
    noOperands(operands);
    return { all: values.all === true };
  },
  run: doctor,
});

const MARKS: Record<Finding['severity'], string> = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' };

/**
 * Checks the profile, its files and its libraries. A read-only connection reads the database first, so that a damaged database is
 * reported and not changed, and so that the check is possible while Mediadesk is running.
 *
 * Exit code 0 when there is no problem, 1 when there is one.
 */
async function doctor({ globals, output }: RunContext, { all }: DoctorInput): Promise<ExitCode> {
  const report = await examine(globals, all, output);
  for (const finding of report.findings) printFinding(output, finding);
  const count = (severity: Finding['severity']) => report.findings.filter((each) => each.severity === severity).length;
  output.record({ doctor: report });
  const [problems, warnings] = [count('problem'), count('warning')];
  output.note(
    `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
  );
  return problems === 0 ? EXIT.complete : EXIT.incomplete;
}

async function examine(globals: GlobalOptions, all: boolean, output: Output): Promise<DoctorReport> {
  const profileDir = profileDirOf(globals);
  const { report, canOpen } = await inspectProfile(profileDir, Date.now());
  if (!canOpen) return report;
  try {
    const onNotice = (notice: AppErrorData) => output.notice(notice);
    const { engine } = await openEngine({ globals, opener: null, onNotice });
    try {
      return await engine.call('app.doctor', { all });
    } finally {
      await engine.stop();
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'profile.in-use') throw error;
    return { ...report, findings: [...report.findings, inUse(profileDir)] };
  }
}

function inUse(profileDir: string): Finding {
  return {
    code: 'profile.in-use',
    severity: 'warning',
    message: 'Mediadesk is running with this profile, so only the queue’s database was checked.',
    nextStep:
      'To check files and libraries too, use “Check my uploads” in its window, or close it and run this command again.',
    details: { queue: join(profileDir, 'queue.db') },
  };
}

function printFinding(output: Output, { severity, message, nextStep, details }: Finding): void {
  output.line(`${MARKS[severity]}${message}`);
  if (severity === 'ok') return;
  const first = details?.first;
  for (const each of Array.isArray(first) ? first : []) output.line(`          ${JSON.stringify(each)}`);
  if (nextStep) output.line(`          ${nextStep}`);
}
