// gnome-keyring as the Secret Service of a private desktop, with its default keyring created and unlocked.
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../processes.ts';
import { endProcess, type Service, spawnOwned } from './service.ts';

/** gnome-keyring refuses an empty password. The password protects a keyring that exists for one command only. */
const password = 'test';
const readyWithinMs = 20_000;

async function ask(env: NodeJS.ProcessEnv, destination: string, path: string, call: string[]): Promise<string> {
  const args = ['--session', '--print-reply=literal', `--dest=${destination}`, path, ...call];
  const answer = await run('dbus-send', args, { env, timeoutMs: 5_000 });
  return answer.code === 0 ? answer.stdout.trim() : '';
}

/** Returns whether a service provides secrets on this session bus, or can be started on request. */
export async function hasSecretService(env: NodeJS.ProcessEnv): Promise<boolean> {
  if (!env.DBUS_SESSION_BUS_ADDRESS && !env.XDG_RUNTIME_DIR) return false;
  const bus = 'org.freedesktop.DBus';
  const names = await ask(env, bus, '/org/freedesktop/DBus', [`${bus}.ListActivatableNames`]);
  if (names.includes('org.freedesktop.secrets')) return true;
  return (await ask(env, bus, '/org/freedesktop/DBus', [`${bus}.ListNames`])).includes('org.freedesktop.secrets');
}

/** True when the default keyring exists and is unlocked: only then can a program store a secret unattended. */
async function isUnlocked(env: NodeJS.ProcessEnv): Promise<boolean> {
  const service = 'org.freedesktop.secrets';
  const names = await ask(env, 'org.freedesktop.DBus', '/org/freedesktop/DBus', ['org.freedesktop.DBus.ListNames']);
  // A call to the service before it has started would make the bus start a second one.
  if (!names.includes(service)) return false;
  const alias = ['org.freedesktop.Secret.Service.ReadAlias', 'string:default'];
  const keyring = await ask(env, service, '/org/freedesktop/secrets', alias);
  if (!keyring.startsWith('/org/')) return false;
  const locked = ['org.freedesktop.DBus.Properties.Get', 'string:org.freedesktop.Secret.Collection', 'string:Locked'];
  return (await ask(env, service, keyring, locked)).endsWith('boolean false');
}

/**
 * The daemon sometimes aborts when it is called while it is still starting: this is a fault of the daemon, and the next start
 * works.
 */
const STARTS = 3;

class KeyringDied extends Error {}

/** Starts the keyring on the session bus of `env` and waits until it could store a secret. */
export async function startKeyring(env: NodeJS.ProcessEnv): Promise<Service> {
  for (let start = 1; ; start += 1) {
    try {
      return await startOnce(env);
    } catch (error) {
      if (!(error instanceof KeyringDied) || start === STARTS) throw error;
    }
  }
}

async function startOnce(env: NodeJS.ProcessEnv): Promise<Service> {
  const args = ['--foreground', '--unlock', '--components=secrets'];
  const child = await spawnOwned('gnome-keyring-daemon', args, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString('utf8')}`.slice(-2_000);
  });
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  child.stdin?.on('error', (error) => {
    failed = error;
  });
  child.stdin?.end(password);
  const stop = () => endProcess(child);
  const giveUpAt = Date.now() + readyWithinMs;
  while (!(await isUnlocked(env))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (failed || ended || Date.now() > giveUpAt) {
      if (!failed) await stop();
      const message = `gnome-keyring gives no unlocked keyring. ${failed?.message ?? complaints}`.trim();
      throw child.signalCode === 'SIGABRT' && !failed ? new KeyringDied(message) : new Error(message);
    }
    await delay(25);
  }
  return { stop };
}
