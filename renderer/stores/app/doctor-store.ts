import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { DoctorReport } from '../../../shared/contract/doctor.ts';
import { call } from '../../bridge/bridge.ts';
import { toErrorData } from '../../text/errors.ts';
import { showSettings } from './app-store.ts';
import { reportSentence } from './doctor-text.ts';
import { say } from './messages-store.ts';

interface DoctorState {
  isRunning: boolean;
  /** Of the last check; null before the first. */
  report: DoctorReport | null;
  error: AppErrorData | null;
}

export const useDoctor = create<DoctorState>(() => ({ isRunning: false, report: null, error: null }));

/** Has the engine look everything over; the last report stays until the new one is there. */
export async function checkUploads(): Promise<void> {
  if (useDoctor.getState().isRunning) return;
  useDoctor.setState({ isRunning: true, error: null });
  say('Checking your uploads.');
  try {
    const report = await call('app.doctor', null);
    useDoctor.setState({ report });
    say(reportSentence(report));
  } catch (thrown) {
    const error = toErrorData(thrown);
    useDoctor.setState({ error });
    say(`The check could not be done. ${error.message} ${error.nextStep ?? ''}`);
  } finally {
    useDoctor.setState({ isRunning: false });
  }
}

/** Opens the place where findings are listed, and checks. */
export function openCheck(): void {
  showSettings('check');
  void checkUploads();
}
