// A start at login, without a window, with 10,000 files in the queue.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../../build/demo/window-steps.ts';
import { appCommand } from '../../helpers/desktop/desktop-app.ts';
import { startTrayPanel } from '../../helpers/desktop/fake-bus-desktop.ts';
import { openSignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { clearJournal, effectsOf } from '../../helpers/service/journal.ts';
import { inDesktopSession } from '../desktop-session.ts';
import { addPaths, sleep, until } from '../desktop-steps.ts';
import { isQuick, MIB } from '../peers.ts';
import { atMost, report } from '../report.ts';
import { makeSmallFiles } from '../small-files.ts';

/** The memory of a process and of all that it started, in bytes: what it shares with others counts for each in part. */
function memoryOf(pid: number): number {
  const children = (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
  const own = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? '0';
  return Number(own) * 1024 + children.reduce((sum, child) => sum + memoryOf(child), 0);
}

async function run(): Promise<void> {
  const count = isQuick ? 500 : 10_000;
  const files = makeSmallFiles(count, 200);
  const panel = await startTrayPanel();
  const opened = await openSignedInApp();
  try {
    const { service, desktop, folder } = opened;
    // Nearly nothing is sent before the end.
    await ask(opened.page, 'uploads.pause', { kind: 'all' });
    await addPaths(opened, files.paths);
    await ask(opened.page, 'uploads.resume', { kind: 'all' });
    await desktop.kill();
    await clearJournal(service);
    const { executablePath, args } = await appCommand(join(folder, 'profile'), ['--hidden']);
    const startedAt = performance.now();
    const child = spawn(executablePath, args, { stdio: 'ignore' });
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      await until(async () => (await effectsOf(service, 'bytes-stored')).length > 0);
      const ms = performance.now() - startedAt;
      await sleep(5000);
      report({
        scenario: 'login-desktop',
        about: `a start without a window, ${count} files in the queue`,
        rows: [
          atMost('from the start to the first delivered file', ms, 5000, 'ms', 0),
          atMost('memory of all processes, 5 s later', memoryOf(child.pid ?? 0) / MIB, 250, 'MiB', 0),
        ],
      });
    } finally {
      child.kill('SIGKILL');
      await gone;
    }
  } finally {
    await opened.close();
    panel.close();
    files.remove();
  }
}

await inDesktopSession(run);
