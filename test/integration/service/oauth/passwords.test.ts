import { scryptSync } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { createPasswords, type Derive, PASSWORD_COST } from '../../../../service/secrets/passwords.ts';
import { auditOf } from '../../../helpers/service/service-audit.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { signIn } from '../../../helpers/service/service-sign-in.ts';
import { withDatabaseOf } from '../../../helpers/service/test-database.ts';

/** A hash in the form of earlier versions of the service. */
function earlierHash(password: string): string {
  const salt = Buffer.from('sixteen bytes ok');
  const key = scryptSync(password, salt, 32, { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  return `scrypt$16384$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

describe('a password', () => {
  test('is hashed with scrypt at N = 2^17, r = 8, p = 1, as OWASP recommends', async () => {
    expect(PASSWORD_COST).toEqual({ N: 131_072, r: 8, p: 1 });
    const passwords = createPasswords();
    const hash = await passwords.hash('correct horse');
    expect(hash).toMatch(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.verify('correct horse', hash, 'known')).toEqual({ isRight: true, fresh: null });
    expect(await passwords.verify('correct horsf', hash, 'known')).toEqual({ isRight: false, fresh: null });
  });

  test('has two different hashes when it is hashed twice', async () => {
    const passwords = createPasswords({ cost: { N: 16, r: 8, p: 1 } });
    expect(await passwords.hash('same')).not.toBe(await passwords.hash('same'));
  });

  test('with an old hash is accepted, and gets a new hash at the present cost', async () => {
    const passwords = createPasswords();
    const { isRight, fresh } = await passwords.verify('old one', earlierHash('old one'), 'known');
    expect(isRight).toBe(true);
    expect(fresh).toMatch(/^scrypt\$131072\$/);
    expect(await passwords.verify('old one', fresh, 'known')).toEqual({ isRight: true, fresh: null });
    expect(await passwords.verify('wrong', earlierHash('old one'), 'known')).toEqual({ isRight: false, fresh: null });
  });

  test('with a hash above the present cost keeps it', async () => {
    const hash = await createPasswords({ cost: { N: 64, r: 8, p: 1 } }).hash('x');
    expect(await createPasswords({ cost: { N: 16, r: 8, p: 1 } }).verify('x', hash, 'known')).toEqual({
      isRight: true,
      fresh: null,
    });
  });

  test('is checked at the same cost whether the user exists or not, has a password or not, or has an old hash', async () => {
    const costs: number[] = [];
    const derive: Derive = async (password, salt, { N }) => {
      costs.push(N);
      return scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 });
    };
    const passwords = createPasswords({ derive });
    const current = await passwords.hash('x');
    const shapes: string[] = [];
    for (const hash of [undefined, null, current, earlierHash('x')]) {
      for (const password of ['x', 'wrong']) {
        costs.length = 0;
        await passwords.verify(password, hash, 'known');
        shapes.push(costs.join());
      }
    }
    expect(new Set(shapes)).toEqual(new Set(['16384,131072']));
  });

  test('is hashed outside the event loop', async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await createPasswords().hash('x');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('waits in order while two others are hashed, and is refused with 503 when 60 are waiting', async () => {
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const release: (() => void)[] = [];
    const derive: Derive = async (password) => {
      running += 1;
      most = Math.max(most, running);
      order.push(password);
      await new Promise<void>((resolve) => void release.push(resolve));
      running -= 1;
      return Buffer.alloc(32);
    };
    const passwords = createPasswords({ derive });
    const all = Array.from({ length: 62 }, (_, index) => passwords.hash(`p${index}`));
    await expect(passwords.hash('one too many')).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '10' },
    });
    for (let done = 0; done < 62; done += 1) {
      await expect.poll(() => release.length).toBeGreaterThan(0);
      release.shift()?.();
    }
    await Promise.all(all);
    expect([most, running]).toEqual([2, 0]);
    expect(order).toEqual(Array.from({ length: 62 }, (_, index) => `p${index}`));
  });

  test('from a known browser gets every second slot while the queue of unknown browsers is full', async () => {
    const order: string[] = [];
    const release: (() => void)[] = [];
    const derive: Derive = async (password, _salt, { N }) => {
      if (N === PASSWORD_COST.N) {
        order.push(password);
        await new Promise<void>((resolve) => void release.push(resolve));
      }
      return Buffer.alloc(32);
    };
    const passwords = createPasswords({ derive });
    const guesses = Array.from({ length: 62 }, (_, index) => passwords.verify(`guess${index}`, null, 'stranger'));
    await expect(passwords.verify('one too many', null, 'stranger')).rejects.toMatchObject({ status: 503 });
    const owners = ['owner0', 'owner1', 'owner2'].map((password) => passwords.verify(password, null, 'known'));
    const done = Promise.all([...guesses, ...owners]);
    for (let count = 0; count < 65; count += 1) {
      await expect.poll(() => release.length).toBeGreaterThan(0);
      release.shift()?.();
    }
    await done;
    expect(order.slice(2, 8)).toEqual(['owner0', 'guess2', 'owner1', 'guess3', 'owner2', 'guess4']);
    expect(order).toHaveLength(65);
  });

  test('frees its slot when hashing fails', async () => {
    const passwords = createPasswords({ derive: () => Promise.reject(new Error('no memory')) });
    for (let count = 0; count < 100; count += 1) await expect(passwords.hash('x')).rejects.toThrow('no memory');
  });
});

describe('the service', () => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.stop());

  async function storedHashes({ dataDir }: ServiceProcess): Promise<Record<string, string>> {
    const rows = await withDatabaseOf(dataDir, (store) =>
      store.all<Record<string, string>>('SELECT email_address, password_hash FROM users'),
    );
    return Object.fromEntries(rows.map((row) => [row.email_address, row.password_hash ?? '']));
  }

  test('creates its accounts with hashes at full cost when it starts without the option for tests', async () => {
    service = await startService({ fullPasswordCost: true });
    await signIn(service);
    await service.kill9();
    for (const hash of Object.values(await storedHashes(service))) expect(hash).toMatch(/^scrypt\$131072\$8\$1\$/);
    expect(service.log()).not.toContain('for tests only');
  });

  test('replaces an old hash when its user signs in, and no other hash, which the audit does not call another password', async () => {
    service = await startService({ fullPasswordCost: true, options: ['--operations', '127.0.0.1:0'] });
    await service.kill9();
    const earlier = earlierHash(service.admin.password);
    await withDatabaseOf(service.dataDir, (store) => store.run('UPDATE users SET password_hash = ?', earlier));
    await service.restart();
    await signIn(service, { email: 'viewer@library.example' });
    await expect(signIn(service, { email: 'editor@library.example', password: 'wrong' })).rejects.toThrow();
    const recorded = (await auditOf(service)).map(({ action }) => action);
    expect(recorded).toContain('session.create');
    expect(recorded).not.toContain('user.update');
    await service.kill9();
    const hashes = await storedHashes(service);
    expect(hashes['viewer@library.example']).toMatch(/^scrypt\$131072\$/);
    expect(hashes['editor@library.example']).toMatch(/^scrypt\$16384\$/);
    await service.restart();
    await signIn(service, { email: 'viewer@library.example' });
  });
});
