// The X server and the session bus of a private desktop.
import type { SessionFolders } from './folders.ts';
import { endProcess, type Service, spawnOwned, waitForText } from './service.ts';

/** Starts Xvfb. The server picks a free display number, so parallel sessions can't collide. */
export async function startScreen(
  folders: SessionFolders,
  size: { width: number; height: number },
): Promise<Service & { display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', `${size.width}x${size.height}x24`];
  args.push('-auth', folders.authority, '-nolisten', 'tcp', '-noreset');
  const child = await spawnOwned('Xvfb', args, { env: folders.env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const numbers = child.stdio[3] as NodeJS.ReadableStream;
  const stop = () => endProcess(child);
  try {
    const display = await waitForText(child, numbers, 'Xvfb', (text) => /^(\d+)\n/.exec(text)?.[1]);
    return { display: `:${display}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts a session bus: the same daemon that dbus-run-session wraps, but with a known process id. */
export async function startBus(env: NodeJS.ProcessEnv): Promise<Service & { address: string }> {
  const child = await spawnOwned('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=3'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const addresses = child.stdio[3] as NodeJS.ReadableStream;
  const stop = () => endProcess(child);
  try {
    const address = await waitForText(child, addresses, 'dbus-daemon', (text) => /^(\S+)\n/.exec(text)?.[1]);
    return { address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
