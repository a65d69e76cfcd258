import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { DoctorReport, Finding } from '../../../../shared/contract/doctor.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { showSettings } from '../../common/state/app-store.ts';
import { announce } from '../../common/state/messages-store.ts';
import { texts } from '../../common/state/texts.ts';

interface DoctorState {
  isRunning: boolean;
  /** The report of the last check; null before the first. */
  report: DoctorReport | null;
  error: AppErrorData | null;
}

export const useDoctor = create<DoctorState>(() => ({ isRunning: false, report: null, error: null }));

/**
 * Runs the doctor, which checks the profile, its database and its accounts. The previous report stays visible until the new one
 * arrives.
 */
export async function runDoctor(): Promise<void> {
  if (useDoctor.getState().isRunning) return;
  useDoctor.setState({ isRunning: true, error: null });
  announce(texts.checking);
  try {
    const report = await call('app.doctor', null);
    useDoctor.setState({ report });
    announce(reportSentence(report));
  } catch (thrown) {
    const error = toErrorData(thrown);
    useDoctor.setState({ error });
    announce(texts.checkFailed(error.message, error.nextStep ?? ''));
  } finally {
    useDoctor.setState({ isRunning: false });
  }
}

/** Opens the section `check` of the settings and runs the doctor. */
export function openCheck(): void {
  showSettings('check');
  void runDoctor();
}

/** `Checked: 1 problem, 2 warnings, 9 checks without problems.` */
export function reportSentence({ findings }: DoctorReport): string {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  const [problems, warnings, fine] = [count('problem'), count('warning'), count('ok')];
  const parts = [
    problems > 0 ? texts.problems(problems) : '',
    warnings > 0 ? texts.warnings(warnings) : '',
    fine > 0 ? texts.fine(fine) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? texts.nothingChecked : texts.checked(parts);
}
