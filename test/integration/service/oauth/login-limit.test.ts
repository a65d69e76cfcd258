import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { networkOf } from '../../../../service/oauth/failure-counters.ts';
import { createLoginLimit, type LoginAttempt } from '../../../../service/oauth/login-limit.ts';
import { createTokenLimit } from '../../../../service/oauth/token-limit.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { FormBrowser, PKCE, signIn } from '../../../helpers/service/service-sign-in.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
type Limit = ReturnType<typeof createLoginLimit>;

const by = (account: string, address: string, device: string | null = null): LoginAttempt => ({
  account,
  address,
  device,
});
const ANN = by('ann@here.example', '10.0.0.1');

/** Tries again as soon as the limit permits it, from `fromMs` for `forMs`; returns the number of admitted attempts. */
function guess(limit: Limit, attempt: LoginAttempt, fromMs: number, forMs: number): number {
  let through = 0;
  for (let now = fromMs; now < fromMs + forMs; ) {
    const waitMs = limit.begin(attempt, now);
    if (waitMs === 0) through += 1;
    now += Math.max(1, waitMs);
  }
  return through;
}

describe('guesses of the password of one account from one address', () => {
  test('are delayed after five failures, and twice as long after each further one, up to 15 minutes', () => {
    const limit = createLoginLimit();
    for (let count = 0; count < 5; count += 1) expect(limit.begin(ANN, 0)).toBe(0);
    const waits: number[] = [];
    let now = 0;
    for (let count = 0; count < 12; count += 1) {
      const waitMs = limit.begin(ANN, now);
      waits.push(waitMs / SECOND);
      now += waitMs;
      expect(limit.begin(ANN, now)).toBe(0);
    }
    expect(waits.slice(0, 5)).toEqual([2, 4, 8, 16, 32]);
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(15 * 60);
    expect(waits.at(-1)).toBeGreaterThan(200);
  });

  test('are limited to 25 in the first hour and 125 in the first day', () => {
    expect(guess(createLoginLimit(), ANN, 0, HOUR)).toBeLessThanOrEqual(25);
    expect(guess(createLoginLimit(), ANN, 0, 24 * HOUR)).toBeLessThanOrEqual(125);
  });

  test('are counted when they begin, so that only five of 50 concurrent ones are admitted', () => {
    const limit = createLoginLimit();
    const waits = Array.from({ length: 50 }, () => limit.begin(ANN, 7));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5);
  });

  test('are not delayed further by refused attempts', () => {
    const limit = createLoginLimit();
    for (let count = 0; count < 6; count += 1) limit.begin(ANN, 0);
    for (let count = 0; count < 1000; count += 1) expect(limit.begin(ANN, 1)).toBe(2 * SECOND - 1);
    expect(limit.begin(ANN, 2 * SECOND)).toBe(0);
  });

  test('have five attempts without a delay again after the right password', () => {
    const limit = createLoginLimit();
    for (let count = 0; count < 5; count += 1) limit.begin(ANN, 0);
    limit.succeeded(ANN, 1);
    for (let count = 0; count < 5; count += 1) expect(limit.begin(ANN, 2)).toBe(0);
  });

  test('are not delayed by attempts whose password was never checked', () => {
    const limit = createLoginLimit();
    for (let count = 0; count < 6; count += 1) limit.begin(ANN, 0);
    for (let count = 0; count < 100; count += 1) {
      expect(limit.begin(ANN, 2 * SECOND + count)).toBe(0);
      limit.withdrawn(ANN, 2 * SECOND + count);
    }
    expect(limit.begin(ANN, 3 * SECOND)).toBe(0);
    expect(limit.begin(ANN, 3 * SECOND)).toBe(4 * SECOND);
  });

  test('are delayed by no more than 2 s when the clock is set back by a day', () => {
    const limit = createLoginLimit();
    for (let count = 0; count < 5; count += 1) limit.begin(ANN, 24 * HOUR);
    expect(limit.begin(ANN, 0)).toBe(2 * SECOND);
    expect(limit.begin(ANN, 2 * SECOND)).toBe(0);
  });

  test('are counted together in whatever letter case they name the account', () => {
    const limit = createLoginLimit();
    const names = ['ANN@here.example', 'ann@HERE.example', 'Ann@Here.Example', 'ann@here.example', 'aNN@here.example'];
    for (const name of names) expect(limit.begin(by(name, '10.0.0.1'), 0)).toBe(0);
    expect(limit.begin(ANN, 0)).toBe(2 * SECOND);
  });
});

describe('an attacker', () => {
  test('at other addresses never delays the first attempt of the owner, whatever the number of guesses and addresses', () => {
    const limit = createLoginLimit();
    let through = 0;
    for (let index = 0; index < 5000; index += 1) {
      if (limit.begin(by(ANN.account, `10.1.${index >> 8}.${index & 255}`), index) === 0) through += 1;
    }
    expect(through).toBe(5000);
    expect(limit.begin(ANN, 5000)).toBe(0);
  });

  test('has one attempt without a delay at each new address, not five, when the account has 50 failures', () => {
    const limit = createLoginLimit();
    const addresses = Array.from({ length: 200 }, (_, index) => `10.2.0.${index}`);
    const through = addresses.map((address) => guess(limit, by(ANN.account, address), 0, 10 * SECOND));
    expect(through.slice(0, 5)).toEqual(Array(5).fill(7));
    expect(through.slice(20)).toEqual(Array(180).fill(1));
  });

  test('makes fewer than 1,000 attempts in an hour with a hundred addresses', () => {
    const limit = createLoginLimit();
    const next = Array.from({ length: 100 }, (_, index) => ({ address: `10.3.0.${index}`, at: 0 }));
    let through = 0;
    for (let now = 0; now < HOUR; now += SECOND) {
      for (const each of next.filter(({ at }) => at <= now)) {
        const waitMs = limit.begin(by(ANN.account, each.address), now);
        if (waitMs === 0) through += 1;
        else each.at = now + waitMs;
      }
    }
    expect(through).toBeLessThan(1000);
  });

  test('at the owner’s address does not delay a browser in which the owner has signed in before', () => {
    const limit = createLoginLimit();
    guess(limit, ANN, 0, HOUR);
    expect(limit.begin(ANN, HOUR)).toBeGreaterThan(0);
    expect(limit.begin({ ...ANN, device: 'known' }, HOUR)).toBe(0);
  });

  test('is delayed even with a cookie of the owner’s browser', () => {
    expect(guess(createLoginLimit(), { ...ANN, device: 'stolen' }, 0, HOUR)).toBeLessThanOrEqual(35);
  });
});

describe('an address', () => {
  test('is delayed after 30 guesses at different accounts, and other addresses are not', () => {
    const limit = createLoginLimit();
    const waits = Array.from({ length: 100 }, (_, index) => limit.begin(by(`p${index}@here.example`, '10.0.0.1'), 0));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(30);
    expect(limit.begin(by('p99@here.example', '10.0.0.2'), 0)).toBe(0);
  });

  test('is delayed after 30 guesses although its user signs in to an account of their own in between', () => {
    const limit = createLoginLimit();
    let through = 0;
    for (let index = 0; index < 300; index += 1) {
      if (limit.begin(by(`p${index}@here.example`, '10.0.0.1'), 0) === 0) through += 1;
      const own = by('own@here.example', '10.0.0.1');
      if (limit.begin(own, 0) === 0) limit.succeeded(own, 0);
    }
    expect(through).toBe(30);
  });

  test('is never delayed when hundreds of users sign in there with the right password', () => {
    const limit = createLoginLimit();
    for (let index = 0; index < 500; index += 1) {
      const person = by(`p${index}@here.example`, '10.0.0.1');
      expect(limit.begin(person, 0)).toBe(0);
      limit.succeeded(person, 0);
    }
  });

  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['10.0.0.1:50123', '10.0.0.1'],
    ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[::ffff:10.0.0.1]:50123', '10.0.0.1'],
    ['no address', 'no address'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

test('memory stays bounded when 200,000 long names are tried from as many addresses', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heldBytes = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const limit = createLoginLimit();
  const before = heldBytes();
  for (let index = 0; index < 200_000; index += 1) {
    const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    limit.begin(by(`${'x'.repeat(250)}${index}@here.example`, address), 1);
  }
  expect(heldBytes() - before).toBeLessThan(25 * 1024 * 1024);
  // The counters of the latest keys are kept.
  for (let count = 0; count < 5; count += 1) limit.begin(ANN, 2);
  expect(limit.begin(ANN, 2)).toBe(2 * SECOND);
});

describe('the login form', () => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.stop());

  const address = (running: ServiceProcess) =>
    `${running.baseUrl}/api2/oauth/authorize?response_type=code&client_id=${running.clientId}&redirect_uri=http://localhost/&state=x&${new URLSearchParams(PKCE)}`;

  /** A browser that keeps cookies. Its requests have `forwarded` as X-Forwarded-For, as if a proxy had added it. */
  async function browserAt(running: ServiceProcess, forwarded: string) {
    const jar = new Map<string, string>();
    const ask = async (url: string, body?: URLSearchParams) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie, 'x-forwarded-for': forwarded },
        ...(body ? { method: 'POST', body } : {}),
      });
      for (const each of response.headers.getSetCookie()) {
        const [name = '', ...value] = (each.split(';')[0] ?? '').split('=');
        jar.set(name, value.join('='));
      }
      return { status: response.status, retryAfter: response.headers.get('retry-after'), html: await response.text() };
    };
    const { html } = await ask(address(running));
    const field = (name: string) =>
      (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replace(/&#(\d+);/g, (_, code) =>
        String.fromCharCode(code),
      );
    return {
      jar,
      signIn: (email_address: string, password: string) =>
        ask(
          `${running.baseUrl}/api2/oauth/login`,
          new URLSearchParams({ request: field('request'), csrf: field('csrf'), email_address, password }),
        ),
    };
  }

  test('accepts the owner without a delay when another address guesses', async () => {
    service = await startService({ publicUrl: 'https://library.example' });
    const attacker = await browserAt(service, '9.9.9.9');
    const statuses: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      statuses.push((await attacker.signIn('viewer@library.example', `wrong ${count}`)).status);
    }
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
    const owner = await browserAt(service, '8.8.8.8');
    expect((await owner.signIn('viewer@library.example', service.admin.password)).status).toBe(303);
  });

  test('accepts the owner at the address of the guesses after a wait of 2 s, which its message states', async () => {
    service = await startService();
    const browser = await browserAt(service, '');
    for (let count = 0; count < 10; count += 1) await browser.signIn('viewer@library.example', 'wrong');
    const refused = await browser.signIn('viewer@library.example', service.admin.password);
    expect([refused.status, Number(refused.retryAfter)]).toEqual([429, 2]);
    expect(refused.html).toContain('Wait 2 seconds and try again.');
    await service.control('PATCH', '/settings', { clock_offset_ms: 2000 });
    expect((await browser.signIn('viewer@library.example', service.admin.password)).status).toBe(303);
  });

  test('accepts the owner without a delay in a browser of an earlier sign-in, also at the address of the guesses', async () => {
    service = await startService();
    const owner = await browserAt(service, '');
    await owner.signIn('viewer@library.example', service.admin.password);
    const attacker = await browserAt(service, '');
    for (let count = 0; count < 10; count += 1) await attacker.signIn('viewer@library.example', 'wrong');
    expect((await attacker.signIn('viewer@library.example', service.admin.password)).status).toBe(429);
    expect((await owner.signIn('viewer@library.example', service.admin.password)).status).toBe(303);
    // The cookie of one account has no effect on another.
    const device = [...owner.jar].find(([name]) => name.includes('device'));
    attacker.jar.set(device?.[0] ?? '', device?.[1] ?? '');
    for (let count = 0; count < 5; count += 1) await attacker.signIn('editor@library.example', 'wrong');
    expect((await attacker.signIn('editor@library.example', service.admin.password)).status).toBe(429);
  });

  test('admits five of 30 concurrent attempts and refuses the others with 429', async () => {
    service = await startService();
    const browser = new FormBrowser();
    const page = await browser.open(address(service));
    const attempt = () =>
      browser.submit(page, 'email_address', { email_address: 'viewer@library.example', password: 'no' });
    const answers = await Promise.all(Array.from({ length: 30 }, attempt));
    const statuses = answers.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(25).fill(429)]);
  });

  test('counts by the last address in X-Forwarded-For, which the proxy adds, and ignores the others', async () => {
    service = await startService({ publicUrl: 'https://library.example' });
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) {
      const browser = await browserAt(service, `1.2.3.${count}, 9.9.9.9`);
      statuses.push((await browser.signIn(`p${count}@x.example`, 'no')).status);
    }
    expect(statuses).toEqual([...Array(30).fill(401), 429]);
    const other = await browserAt(service, '9.9.9.9, 8.8.8.8');
    expect((await other.signIn('p99@x.example', 'no')).status).toBe(401);
  });
});

describe('guesses at the token endpoint', () => {
  test('are delayed after 60 refusals of one network, by at most a minute, and not those of another', () => {
    const limit = createTokenLimit();
    let now = 0;
    for (let count = 0; count < 60; count += 1) {
      expect(limit.waitMs('2001:db8::1', now)).toBe(0);
      limit.refused('2001:db8::1', now);
    }
    expect(limit.waitMs('2001:db8::ffff', now)).toBe(1000);
    expect(limit.waitMs('10.0.0.9', now)).toBe(0);
    for (let count = 0; count < 40; count += 1) {
      now += limit.waitMs('2001:db8::1', now);
      limit.refused('2001:db8::1', now);
    }
    expect(limit.waitMs('2001:db8::1', now)).toBeGreaterThanOrEqual(30_000);
    expect(limit.waitMs('2001:db8::1', now)).toBeLessThanOrEqual(60_000);
  });

  test('are answered with 429 and Retry-After, and a right token is accepted after the wait', async () => {
    const service = await startService();
    try {
      const exchange = (refresh_token: string) =>
        fetch(`${service.baseUrl}/api2/oauth/access_token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ grant_type: 'refresh_token', client_id: service.clientId, refresh_token }),
        });
      const { refresh_token } = await signIn(service);
      const statuses: number[] = [];
      for (let count = 0; count < 61; count += 1) statuses.push((await exchange(`guess ${count}`)).status);
      expect([...new Set(statuses.slice(0, 60))]).toEqual([400]);
      const refused = await exchange(refresh_token);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      await service.control('PATCH', '/settings', { clock_offset_ms: 60_000 });
      expect((await exchange(refresh_token)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
