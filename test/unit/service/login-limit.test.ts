import { afterEach, describe, expect, test } from 'vitest';
import { createLoginLimit, limitKeys } from '../../../service/oauth/login-limit.ts';
import { type ServiceProcess, startService } from '../../helpers/service-process.ts';
import { FormBrowser } from '../../helpers/service-sign-in.ts';

const MINUTE = 60_000;

describe('guessing passwords', () => {
  /** So many attempts that nobody says succeeded; how many were let through. */
  function attempts(
    limit: ReturnType<typeof createLoginLimit>,
    count: number,
    account: string,
    address: string,
    now: number,
  ) {
    let through = 0;
    for (let done = 0; done < count; done += 1) if (limit.begin(limitKeys(account, address), now) === 0) through += 1;
    return through;
  }

  test('of one account ends after ten, wherever it is done from, and begins anew when they have aged', () => {
    const limit = createLoginLimit();
    for (let index = 0; index < 10; index += 1) {
      expect(limit.begin(limitKeys('Ann@here.example', `10.0.0.${index}`), index * 1000)).toBe(0);
    }
    expect(limit.begin(limitKeys('ann@HERE.example', '10.0.0.99'), 10_000)).toBe(290);
    expect(limit.begin(limitKeys('ben@here.example', '10.0.0.99'), 10_000)).toBe(0);
    // The first of the ten has aged, and one attempt is free.
    expect(limit.begin(limitKeys('ann@here.example', '10.0.0.99'), 5 * MINUTE)).toBe(0);
    expect(limit.begin(limitKeys('ann@here.example', '10.0.0.99'), 5 * MINUTE)).toBe(1);
    expect(limit.begin(limitKeys('ann@here.example', '10.0.0.99'), 11 * MINUTE)).toBe(0);
  });

  test('from one address ends after a hundred, whatever the accounts, and begins anew later', () => {
    const limit = createLoginLimit();
    let through = 0;
    for (let index = 0; index < 300; index += 1) through += attempts(limit, 1, `p${index}@here.example`, '10.0.0.1', 0);
    expect(through).toBe(100);
    expect(attempts(limit, 1, 'somebody@here.example', '10.0.0.2', 0)).toBe(1);
    expect(attempts(limit, 1, 'somebody@here.example', '10.0.0.1', 5 * MINUTE)).toBe(1);
  });

  test('is not made free by getting in to an own account in between', () => {
    const limit = createLoginLimit();
    let through = 0;
    for (let index = 0; index < 300; index += 1) {
      through += attempts(limit, 1, `p${index}@here.example`, '10.0.0.1', 0);
      const own = limitKeys('own@here.example', '10.0.0.1');
      if (limit.begin(own, 0) === 0) limit.succeeded(own, 0);
    }
    expect(through).toBe(100);
  });

  test('is forgiven to an account whose password was right, and to its address that one attempt', () => {
    const limit = createLoginLimit();
    attempts(limit, 9, 'ann@here.example', '10.0.0.1', 0);
    const keys = limitKeys('ann@here.example', '10.0.0.1');
    expect(limit.begin(keys, 1)).toBe(0);
    limit.succeeded(keys, 1);
    expect(attempts(limit, 20, 'ann@here.example', '10.0.0.1', 2)).toBe(10);
    expect(attempts(limit, 1, 'ann@here.example', '10.0.0.1', 3)).toBe(0);
  });

  test('of an account is remembered while ten thousand others are tried from everywhere', () => {
    const limit = createLoginLimit();
    attempts(limit, 10, 'ann@here.example', '10.0.0.1', 0);
    for (let index = 0; index < 4900; index += 1) attempts(limit, 1, `p${index}@here.example`, `10.1.${index}`, 1);
    expect(attempts(limit, 1, 'ann@here.example', '10.0.0.2', 2)).toBe(0);
  });
});

describe('the login form', () => {
  let service: ServiceProcess | undefined;
  afterEach(() => service?.stop());

  test('counts attempts that come all at once', async () => {
    service = await startService();
    const browser = new FormBrowser();
    const query = `response_type=code&client_id=${service.clientId}&redirect_uri=http://localhost/&state=x`;
    const page = await browser.open(`${service.baseUrl}/api2/oauth/authorize?${query}`);
    const guess = () =>
      browser.submit(page, 'email_address', { email_address: 'viewer@library.example', password: 'no' });
    const answers = await Promise.all(Array.from({ length: 30 }, guess));
    const statuses = answers.map(({ response }) => response.status).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
    expect(answers.some(({ response }) => Number(response.headers.get('retry-after')) > 200)).toBe(true);
  });

  test('counts by the address that a proxy in front has seen, and believes nobody else', async () => {
    service = await startService({ publicUrl: 'https://library.example' });
    const url = `${service.baseUrl}/api2/oauth/authorize?response_type=code&client_id=${service.clientId}&redirect_uri=http://localhost/&state=x`;
    const opened = await fetch(url);
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const html = await opened.text();
    const field = (name: string) =>
      (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replace(/&#(\d+);/g, (_, code) =>
        String.fromCharCode(code),
      );
    let tried = 0;
    const guess = async (forwarded: string) => {
      tried += 1;
      const body = new URLSearchParams({
        request: field('request'),
        csrf: field('csrf'),
        email_address: `p${tried}@x.example`,
        password: 'no',
      });
      const response = await fetch(`${service?.baseUrl}/api2/oauth/login`, {
        method: 'POST',
        body,
        headers: { cookie, 'x-forwarded-for': forwarded },
      });
      await response.body?.cancel();
      return response.status;
    };
    const many = await Promise.all(Array.from({ length: 100 }, (_, index) => guess(`1.2.3.${index}, 9.9.9.9`)));
    expect(new Set(many)).toEqual(new Set([401]));
    expect(await guess('1.2.3.200, 9.9.9.9')).toBe(429);
    expect(await guess('9.9.9.9, 8.8.8.8')).toBe(401);
  }, 60_000);
});
