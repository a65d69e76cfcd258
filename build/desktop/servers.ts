// The X server and the session bus of a private desktop.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** The usual session bus, except that it starts no programs by itself: no portals and no accessibility of this computer. */
const BUS_CONFIG = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** Starts a session bus: the same daemon that dbus-run-session wraps, but with a known process id. */
export async function startBus(folder: string, env: NodeJS.ProcessEnv): Promise<Service & { address: string }> {
  const config = join(folder, 'bus.conf');
  await writeFile(config, BUS_CONFIG);
  const args = [`--config-file=${config}`, '--nofork', '--nopidfile', '--print-address=3'];
  const child = await spawnOwned('dbus-daemon', args, {
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
