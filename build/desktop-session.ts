// A desktop for machines without one: a virtual screen, a D-Bus session bus and an unlocked Secret Service (gnome-keyring), all
// of it private to one command and removed when that command ends.
//
// node build/desktop-session.ts [--size 1920x1080] [--if-needed] -- COMMAND ARG…
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { parseArgs } from 'node:util';
import { createSessionFolders } from './desktop/folders.ts';
import { hasSecretService, startKeyring } from './desktop/keyring.ts';
import { startBus, startScreen } from './desktop/servers.ts';
import { type Service, spawnOwned } from './desktop/service.ts';

export interface DesktopOptions {
  /** Screen size in pixels. */
  size?: { width: number; height: number };
  env?: NodeJS.ProcessEnv;
}

export interface DesktopSession {
  /** The environment that programs of this session need. */
  env: NodeJS.ProcessEnv;
  /** Ends everything that the session started and removes its folders. */
  stop(): Promise<void>;
}

/** Starts a private desktop. Call `stop` in a `finally`. */
export async function startDesktopSession(options: DesktopOptions = {}): Promise<DesktopSession> {
  const { size = { width: 1920, height: 1080 } } = options;
  const folders = await createSessionFolders(options.env ?? process.env);
  const services: Service[] = [];
  const stop = async () => {
    // The keyring ends before its bus, and the folders are removed last.
    for (const service of services.splice(0).reverse()) await service.stop();
    await rm(folders.root, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const screen = await startScreen(folders, size);
    services.push(screen);
    const bus = await startBus(folders.root, { ...folders.env, DISPLAY: screen.display });
    services.push(bus);
    const env = { ...folders.env, DISPLAY: screen.display, DBUS_SESSION_BUS_ADDRESS: bus.address };
    services.push(await startKeyring(env));
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a command on this terminal, forwards signals to it and returns the exit code as a shell would. */
async function runForeground(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  let child: ChildProcess | undefined;
  let early: NodeJS.Signals | undefined;
  const forward = (signal: NodeJS.Signals) => {
    if (child === undefined) early = signal;
    else child.kill(signal);
  };
  // Registered before the command runs: the command may be ready before this process learns that it was started.
  for (const signal of forwardedSignals) process.on(signal, forward);
  try {
    child = await spawnOwned(command, args, { env, stdio: 'inherit' });
    if (early !== undefined) child.kill(early);
    return await new Promise((resolve, reject) => {
      child?.on('error', reject);
      child?.on('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
    });
  } finally {
    for (const signal of forwardedSignals) process.off(signal, forward);
  }
}

/** Returns whether this user already has a screen and a keychain. */
async function hasDesktop(env: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && (await hasSecretService(env));
}

/** Runs a command in a new desktop and returns its exit code. */
async function runInDesktop(command: string, args: readonly string[], options: DesktopOptions = {}): Promise<number> {
  const session = await startDesktopSession(options);
  try {
    return await runForeground(command, args, session.env);
  } finally {
    await session.stop();
  }
}

function readSize(text: string): { width: number; height: number } {
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(text);
  if (!match) throw new Error(`--size takes WIDTHxHEIGHT, not "${text}".`);
  return { width: Number(match[1]), height: Number(match[2]) };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: {
      size: { type: 'string', default: '1920x1080' },
      'if-needed': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const [command, ...args] = positionals;
  if (!command)
    throw new Error('Usage: node build/desktop-session.ts [--size 1920x1080] [--if-needed] -- COMMAND ARG…');
  if (values['if-needed'] && (await hasDesktop())) return runForeground(command, args, process.env);
  return runInDesktop(command, args, { size: readSize(values.size) });
}

if (import.meta.main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`desktop-session: ${(error as Error).message}`);
    process.exitCode = 1;
  }
}
