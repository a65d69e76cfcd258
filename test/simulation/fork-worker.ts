import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Report, Share } from './worker.ts';

/** A seed leaves much garbage and no more: larger young generations are collected less often. */
const WORKER_OPTIONS = ['--max-semi-space-size=64'];

/** Runs the seeds of a share in a separate process. Resolves with its exit code. */
export function runWorker(share: Share, onReport: (report: Report) => void): Promise<number> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'worker.ts'), { execArgv: WORKER_OPTIONS });
    child.on('message', (report) => onReport(report as Report));
    child.on('exit', (code) => resolve(code ?? 1));
    child.send(share);
  });
}
