import { WAVEFORM_WORKER_PATH } from '../../../shared/contract/worker-address.ts';
import type { Waveform, WaveformResult } from '../../../shared/model/waveform/waveform.ts';
import type { WaveformTask } from './read-peaks.ts';
import type { WaveformReport } from './worker-messages.ts';

interface Computation extends WaveformTask {
  /** Ends the worker, and the transfer of its bytes. */
  signal: AbortSignal;
  /** Called a few times per second with what was read so far. */
  onProgress?: (waveform: Waveform) => void;
  /** Called with the number of bytes that came so far from an address: a few times per second, and at the end. */
  onReceived?: (bytes: number) => void;
}

/** The time that a worker has after its limit, before it counts as stuck and is ended. */
const STUCK_MS = 5_000;

/**
 * Computes the waveform of a recording in a worker of its own. Returns null when `signal` aborted. A worker that stops working is
 * ended: what it has read until then is returned. Throws when the worker can't be started, and errors of its code.
 */
export function computeWaveform({
  signal,
  onProgress,
  onReceived,
  ...task
}: Computation): Promise<WaveformResult | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const worker = new Worker(WAVEFORM_WORKER_PATH, { type: 'module' });
    let last: Waveform | null = null;
    const close = () => {
      window.clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      worker.terminate();
    };
    const end = (result: WaveformResult | null) => {
      close();
      resolve(result);
    };
    const onAbort = () => end(null);
    const timer = window.setTimeout(
      () => end(last === null ? { kind: 'none', reason: 'unreachable' } : { ...last, end: 'broken-off' }),
      task.limits.ms + STUCK_MS,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    worker.addEventListener('message', ({ data }: MessageEvent<WaveformReport>) => {
      onReceived?.(data.receivedBytes);
      if (data.kind === 'end') return end(data.result);
      last = data.waveform;
      onProgress?.(data.waveform);
    });
    worker.addEventListener('error', (event) => {
      close();
      // A script that can't be loaded causes an event without a message.
      reject(new Error(`The worker for waveforms failed: ${event.message ?? 'it could not be started'}`));
    });
    worker.postMessage(task);
  });
}
