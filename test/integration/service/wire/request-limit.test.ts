import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, clientFor, sendForm } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';

const service = await serviceOfFile({ publicUrl: 'http://localhost:9999', options: ['--operations', '127.0.0.1:0'] });
const admin = await clientFor(service);
const viewer = await clientFor(service, 'viewer');
afterEach(() => service.control('PATCH', '/settings', { requests_per_minute: null }));

let hours = 0;
/** Sets the limit, with all of it left: the clock goes on by an hour. */
async function limitTo(requests_per_minute: number): Promise<void> {
  hours += 1;
  const settings = { requests_per_minute, clock_offset_ms: hours * 600_000 };
  await service.control('PATCH', '/settings', settings);
}

async function statuses(times: number, ask: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n += 1) found.push((await ask(n)).status);
  return found;
}

const anonymous = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, service.baseUrl), { headers, redirect: 'manual' });

describe('the limit of requests', () => {
  test('refuses a user with 429 and a time to wait, and no other user', async () => {
    await limitTo(4);
    expect(await statuses(5, () => viewer.get('/api2/media'))).toEqual([200, 200, 200, 200, 429]);
    const refused = await viewer.post('/api2/media', { title: 'x' });
    expect(refused).toMatchObject({ status: 429, body: { message: expect.stringMatching(/^Too many requests/) } });
    const waitS = Number(refused.headers.get('retry-after'));
    expect(waitS).toBeGreaterThanOrEqual(1);
    expect(waitS).toBeLessThanOrEqual(15);
    expect((await admin.get('/api2/media')).status).toBe(200);
    await service.control('PATCH', '/settings', { clock_offset_ms: hours * 600_000 + waitS * 1000 });
    expect((await viewer.get('/api2/media')).status).toBe(200);
  });

  test('never counts uploads, their completion and downloads', async () => {
    const item = await admin.createItem('Item');
    const [first, ...files] = await Promise.all(
      Array.from({ length: 5 }, () => admin.post(`${item}/files`, { upload_name: 'a.bin', upload_size: 3 })),
    );
    const own = (url: string) => new URL(new URL(url).pathname + new URL(url).search, service.baseUrl).href;
    const send = async (body: Answer['body']) => {
      const form = body.upload.protocols.form_data;
      const upload = { protocols: { form_data: { ...form, upload_url: own(form.upload_url) } } };
      expect((await sendForm(upload, 'a.bin', Buffer.from('abc'))).status).toBe(204);
      expect((await fetch(own(form.postprocess_url), { method: 'POST' })).status).toBe(204);
    };
    await send(first?.body);
    const content: string = (await admin.get(`${first?.location}/content?json`)).body.location;
    await service.control('PATCH', '/settings', { requests_per_minute: 1 });
    for (const { body } of files) {
      await send(body);
      expect((await fetch(own(content))).status).toBe(200);
    }
    expect(await statuses(2, () => admin.get('/api2/media'))).toEqual([200, 429]);
  });

  test('counts by the address that the proxy saw, whatever address a client claims, and an IPv6 network as one', async () => {
    await limitTo(3);
    const claimed = (n: number) => anonymous('/api2/media', { 'x-forwarded-for': `203.0.113.${n}, 198.51.100.7` });
    expect(await statuses(5, claimed)).toEqual([401, 401, 401, 429, 429]);
    const network = (n: number) => anonymous('/api2/media', { 'x-forwarded-for': `2001:db8::${n + 1}` });
    expect(await statuses(4, network)).toEqual([401, 401, 401, 429]);
    const others = (n: number) => anonymous('/api2/media', { 'x-forwarded-for': `198.51.100.${n + 10}` });
    expect(await statuses(5, others)).toEqual([401, 401, 401, 401, 401]);
  });

  test('counts wrong tokens, wrong paths and pages for the address, and gives them no share of their own', async () => {
    await limitTo(4);
    const from = { 'x-forwarded-for': '198.51.100.99' };
    expect((await anonymous('/api2/media', { ...from, authorization: 'Bearer wrong-1' })).status).toBe(401);
    expect((await anonymous('/nowhere', from)).status).toBe(404);
    expect((await anonymous('/watch/1', from)).status).toBe(404);
    expect((await anonymous('/api2/oauth/authorize', from)).status).toBe(400);
    expect((await anonymous('/api2/media', { ...from, authorization: 'Bearer wrong-2' })).status).toBe(429);
    expect((await anonymous('/api2/oauth/authorize', from)).status).toBe(429);
  });

  test('is off by default, and counts what it refuses', async () => {
    expect(await statuses(100, () => viewer.get('/api2/media/count'))).toEqual(Array(100).fill(200));
    const text = await (await fetch(`${service.operationsUrl}/metrics`)).text();
    const refused = Number(/^library_refused_total\{reason="too-many-requests"\} (\d+)$/m.exec(text)?.[1]);
    expect(refused).toBeGreaterThan(5);
  });
});
