// The only worker of the window, which the build puts at this path; the trusted types of the page name it.

/** The path of the worker that computes waveforms, below the origin of the screens. */
export const WAVEFORM_WORKER_PATH = '/assets/waveform-worker.js';
