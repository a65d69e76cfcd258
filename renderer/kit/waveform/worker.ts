// The worker that computes the waveform of one recording. The page ends it after its result, and earlier when the waveform is no
// longer needed.
import type { Waveform } from '../../../shared/model/waveform/waveform.ts';
import { readPeaks, type WaveformTask } from './read-peaks.ts';
import type { WaveformReport } from './worker-messages.ts';

const report = (message: WaveformReport) => globalThis.postMessage(message);

globalThis.addEventListener('message', ({ data }: MessageEvent<WaveformTask>) => {
  const tools = {
    now: () => performance.now(),
    onProgress: (waveform: Waveform, receivedBytes: number) => report({ kind: 'progress', waveform, receivedBytes }),
  };
  // The page gets an error only when it is reported: a rejected promise of a worker has no effect there.
  void readPeaks(data, tools).then((end) => report({ kind: 'end', ...end }), reportError);
});
