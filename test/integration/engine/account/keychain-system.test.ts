import { describe, expect, it } from 'vitest';
import {
  createSystemKeychain,
  KEYCHAIN_TRIES_MS,
  MAX_SECRET_CHARS,
  probeSystemKeychain,
} from '../../../../electron/engine/ports/system/keychain-system.ts';
import type { SystemSecrets } from '../../../../electron/engine/ports/system/keytar-process.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

function secretsInMemory(over: Partial<SystemSecrets> = {}) {
  const entries = new Map<string, string>();
  const secrets: SystemSecrets = {
    getPassword: async (service, account) => entries.get(`${service} ${account}`) ?? null,
    setPassword: async (service, account, password) => void entries.set(`${service} ${account}`, password),
    deletePassword: async (service, account) => entries.delete(`${service} ${account}`),
    ...over,
  };
  return { entries, secrets };
}

const never = () => new Promise<never>(() => {});

describe('the system’s keychain', () => {
  it('is called with the service name “mediadesk”', async () => {
    const { entries, secrets } = secretsInMemory();
    const keychain = createSystemKeychain({ clock: nodeClock, load: async () => secrets });
    await keychain.set('site/a', '1.secret');
    expect(Object.fromEntries(entries)).toEqual({ 'mediadesk site/a': '1.secret' });
    expect(await keychain.get('site/a')).toBe('1.secret');
    await keychain.delete('site/a');
    await keychain.delete('site/a');
    expect(await keychain.get('site/a')).toBeNull();
  });

  it('loads its library at the first call', async () => {
    let loads = 0;
    const { secrets } = secretsInMemory();
    const load = async () => {
      loads += 1;
      return secrets;
    };
    const keychain = createSystemKeychain({ clock: nodeClock, load });
    expect(loads).toBe(0);
    await keychain.get('x');
    expect(loads).toBe(1);
  });

  it('is unavailable without its library', async () => {
    const load = () => Promise.reject(new Error('libsecret-1.so.0: cannot open shared object file'));
    const keychain = createSystemKeychain({ clock: nodeClock, load });
    await expect(keychain.get('x')).rejects.toMatchObject({
      code: 'keychain.unavailable',
      details: { reason: expect.stringContaining('libsecret') },
    });
    expect(await probeSystemKeychain(keychain, nodeRandom)).toMatchObject({ code: 'keychain.unavailable' });
  });

  it('is reported as locked, and uses no second thread, when it does not answer for ten seconds', async () => {
    const clock = new ManualClock();
    let calls = 0;
    const { secrets } = secretsInMemory({
      getPassword: () => {
        calls++;
        return never();
      },
    });
    const keychain = createSystemKeychain({ clock, load: async () => secrets });
    const first = keychain.get('x').catch((error: unknown) => error);
    await expect.poll(() => calls).toBe(1);
    const second = keychain.get('y').catch((error: unknown) => error);
    clock.advance(KEYCHAIN_TRIES_MS);
    expect([await first, await second]).toMatchObject([{ code: 'keychain.locked' }, { code: 'keychain.locked' }]);
    expect(calls).toBe(1);
  });

  it('works again when it is unlocked, and does not repeat calls that timed out', async () => {
    const clock = new ManualClock();
    let unlock = () => {};
    const locked = new Promise<void>((resolve) => {
      unlock = resolve;
    });
    const { entries, secrets } = secretsInMemory({ getPassword: () => locked.then(() => null) });
    const keychain = createSystemKeychain({ clock, load: async () => secrets });
    const first = keychain.get('x').catch(() => {});
    const givenUp = keychain.set('y', 'old').catch(() => {});
    clock.advance(KEYCHAIN_TRIES_MS);
    await Promise.all([first, givenUp]);
    unlock();
    await keychain.set('z', 'new');
    expect([...entries.keys()]).toEqual(['mediadesk z']);
  });

  it('refuses, on every system, a secret that is empty or too long for Windows', async () => {
    const { entries, secrets } = secretsInMemory();
    const keychain = createSystemKeychain({ clock: nodeClock, load: async () => secrets });
    await keychain.set('x', 'y'.repeat(MAX_SECRET_CHARS));
    for (const secret of ['', 'y'.repeat(MAX_SECRET_CHARS + 1)]) {
      await expect(keychain.set('z', secret)).rejects.toMatchObject({ code: 'keychain.unavailable' });
    }
    expect(entries.size).toBe(1);
  });

  it('is reported as locked when it is locked and hides its entries', async () => {
    let isLocked = false;
    const refusal = () => Promise.reject(new Error('Cannot create an item in a locked collection'));
    const { entries, secrets: open } = secretsInMemory();
    const secrets: SystemSecrets = {
      getPassword: async (...args) => (isLocked ? null : open.getPassword(...args)),
      setPassword: async (...args) => (isLocked ? refusal() : open.setPassword(...args)),
      deletePassword: async (...args) => !isLocked && open.deletePassword(...args),
    };
    const keychain = createSystemKeychain({ clock: nodeClock, load: async () => secrets, platform: 'linux' });
    await keychain.set('x', 'kept');
    isLocked = true;
    await expect(keychain.get('x')).rejects.toMatchObject({ code: 'keychain.locked' });
    await expect(keychain.delete('x')).rejects.toMatchObject({ code: 'keychain.locked' });
    isLocked = false;
    expect(await keychain.get('x')).toBe('kept');
    expect(await keychain.get('never there')).toBeNull();
    await keychain.delete('x');
    expect(entries.size).toBe(0);
  });

  it('returns its secret when the user unlocks it', async () => {
    let isLocked = true;
    const { secrets: open } = secretsInMemory();
    await open.setPassword('mediadesk', 'x', 'kept');
    const secrets: SystemSecrets = {
      ...open,
      getPassword: async (...args) => (isLocked ? null : open.getPassword(...args)),
      setPassword: async (...args) => {
        isLocked = false;
        await open.setPassword(...args);
      },
    };
    const keychain = createSystemKeychain({ clock: nodeClock, load: async () => secrets, platform: 'linux' });
    expect(await keychain.get('x')).toBe('kept');
  });

  it('is probed with a temporary entry', async () => {
    const { entries, secrets } = secretsInMemory();
    const keychain = createSystemKeychain({ clock: nodeClock, load: async () => secrets });
    expect(await probeSystemKeychain(keychain, nodeRandom)).toBeNull();
    expect(entries.size).toBe(0);
    const forgetful = secretsInMemory({ getPassword: async () => null }).secrets;
    const other = createSystemKeychain({ clock: nodeClock, load: async () => forgetful });
    expect(await probeSystemKeychain(other, nodeRandom)).toMatchObject({ code: 'keychain.unavailable' });
  });
});

describe.runIf(process.env.MEDIADESK_SECRET_SERVICE === '1')('the real Secret Service of Linux', () => {
  const keychain = createSystemKeychain({ clock: nodeClock });

  it('passes the probe', async () => {
    expect(await probeSystemKeychain(keychain, nodeRandom)).toBeNull();
  });

  it('stores, replaces, returns and deletes a secret of full length', async () => {
    const account = `test-${nodeRandom.uuid()}`;
    const secret = 'ü'.repeat(MAX_SECRET_CHARS);
    await keychain.set(account, 'first');
    await keychain.set(account, secret);
    expect(await createSystemKeychain({ clock: nodeClock }).get(account)).toBe(secret);
    await keychain.delete(account);
    await keychain.delete(account);
    expect(await keychain.get(account)).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('a machine without a session bus', () => {
  it('reports that there is no keychain, without hanging', async () => {
    const { spawnSync } = await import('node:child_process');
    const script = `
      import { createSystemKeychain, probeSystemKeychain } from './electron/engine/ports/system/keychain-system.ts';
      import { nodeClock } from './electron/engine/ports/system/node-clock.ts';
      import { nodeRandom } from './electron/engine/ports/system/node-random.ts';
      const problem = await probeSystemKeychain(createSystemKeychain({ clock: nodeClock }), nodeRandom);
      console.log(problem?.code);`;
    const run = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      env: { PATH: '/nonexistent', HOME: '/nonexistent' },
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(run.stdout.trim()).toBe('keychain.unavailable');
  });
});
