import type { WaveformTask } from '../../../renderer/kit/waveform/read-peaks.ts';
import type { WaveformReport } from '../../../renderer/kit/waveform/worker-messages.ts';

/** A worker for waveforms that does nothing until a test answers for it. */
export class HeldWorker extends EventTarget {
  static readonly #started: HeldWorker[] = [];
  task: WaveformTask | null = null;
  isEnded = false;

  constructor() {
    super();
    HeldWorker.#started.push(this);
  }

  /** Makes this the worker of this process; returns those that are started from now on, the oldest first. */
  static install(): readonly HeldWorker[] {
    HeldWorker.#started.length = 0;
    Object.assign(globalThis, { Worker: HeldWorker });
    return HeldWorker.#started;
  }

  postMessage(task: WaveformTask): void {
    this.task = task;
  }

  terminate(): void {
    this.isEnded = true;
  }

  /** Sends a report. Resolves when the page has handled it. */
  async report(data: WaveformReport): Promise<void> {
    if (!this.isEnded) this.dispatchEvent(Object.assign(new Event('message'), { data }));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Fails as a worker does whose script can't be loaded. */
  async fail(): Promise<void> {
    this.dispatchEvent(new Event('error'));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
