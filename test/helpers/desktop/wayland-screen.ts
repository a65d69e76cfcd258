// A Wayland screen without a monitor, for the real app.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, spawnOwned } from '../../../build/desktop/service.ts';
import { findProgram } from '../../../build/processes.ts';

/** Whether this computer can make one: it has Weston. */
export const hasWeston = process.platform === 'linux' && (await findProgram('weston')) !== undefined;
if (!hasWeston) console.warn('Weston is not installed (Debian: weston): the tests on Wayland are skipped.');

export interface WaylandScreen {
  /** Starts an app on this screen, and on no other one. */
  launch: { args: string[]; env: Record<string, string> };
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 20_000;

/** Starts the screen. It has no keyboard and no mouse. */
export async function startWaylandScreen(): Promise<WaylandScreen> {
  const name = `wayland-test-${process.pid}`;
  const socket = join(process.env.XDG_RUNTIME_DIR ?? '', name);
  const args = ['--backend=headless-backend.so', '--use-pixman', '--no-config', '--idle-time=0', `--socket=${name}`];
  const child = await spawnOwned('weston', [...args, '--width=1400', '--height=1000'], { stdio: 'ignore' });
  for (const giveUpAt = Date.now() + READY_WITHIN_MS; !existsSync(socket); ) {
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error('Weston did not start.');
    await new Promise((next) => setTimeout(next, 20));
  }
  return {
    launch: {
      // Without a graphics card, Weston takes only pictures from memory.
      args: ['--ozone-platform=wayland', '--disable-gpu'],
      env: { WAYLAND_DISPLAY: name, XDG_SESSION_TYPE: 'wayland', DISPLAY: '' },
    },
    stop: () => endProcess(child),
  };
}
