import { Agent, request } from 'node:http';
import { expect, it } from 'vitest';
import { Prng } from '../../../helpers/data/prng.ts';
import { type FuzzRequest, fuzzRequest } from '../../../helpers/service/fuzz-requests.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { startService } from '../../../helpers/service/service-process.ts';

const REQUESTS = 10_000;
const LANES = 8;

it('the service answers 10,000 random requests without an internal error, and still works afterwards', async () => {
  // A fixed seed, so that every run sends the same requests.
  const seed = Number(process.env.FUZZ_SEED ?? 1);
  const service = await startService({ seed: 'demo' });
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  try {
    const { tokens } = await clientFor(service);
    const random = new Prng(seed);
    const answered = new Map<number, number>();
    const faults: { status: number; asked: FuzzRequest }[] = [];
    let left = REQUESTS;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        const asked = fuzzRequest(random);
        const status = await send(service.baseUrl, agent, tokens.access_token, asked);
        answered.set(status, (answered.get(status) ?? 0) + 1);
        if (status >= 500) faults.push({ status, asked });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(faults.slice(0, 3), `seed ${seed}`).toEqual([]);
    // The requests reached the handlers: there were answers of all kinds, many of them successes.
    expect([...answered.keys()]).toEqual(expect.arrayContaining([200, 201, 204, 302, 400, 404, 409, 422]));
    expect(answered.get(200)).toBeGreaterThan(REQUESTS / 10);
    expect(service.log(), `seed ${seed}`).not.toContain(tokens.access_token);

    const admin = await clientFor(service);
    // The requests were an administrator's: collections were renamed, moved and deleted, but at least one is left.
    const { body: collections } = await admin.get('/api2/collections');
    const item = await admin.createItem('Still here', { collection_id: collections.items[0].id });
    expect((await admin.get(item)).body.title).toBe('Still here');
  } finally {
    agent.destroy();
    await service.stop();
  }
}, 600_000);

function send(baseUrl: string, agent: Agent, token: string, asked: FuzzRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    const hasBody = asked.method !== 'GET' && asked.method !== 'HEAD';
    const body = Buffer.from(asked.body);
    const sending = request(new URL(asked.path, baseUrl), {
      method: asked.method,
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        ...(hasBody ? { 'content-type': asked.contentType, 'content-length': body.length } : {}),
      },
    });
    sending.on('error', reject);
    sending.on('response', (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sending.end(hasBody ? body : undefined);
  });
}
