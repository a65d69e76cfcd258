// Particular answers of destinations and completion addresses, through the whole engine and the real service.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { whenRow } from '../../../helpers/engine/engine-host.ts';
import { clearJournal, effectsOf } from '../../../helpers/service/journal.ts';
import type { RequestBreak } from '../../../helpers/wire/wire-breaks.ts';
import { FILE_BYTES } from './wire-cases.ts';
import { type Journey, openWireWorld, type WireWorld } from './wire-world.ts';

const UPLOAD = { method: 'POST', path: /^\/upload\// };
const COMPLETION = { method: 'POST', path: /^\/postprocess\// };

const reply = (status: string, body = '', extra = '') =>
  `HTTP/1.1 ${status}\r\n${extra}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
/** Answers instead of the service, which does not receive the request. */
const answered = (status: string, body = '', extra = ''): RequestBreak => ({
  kind: 'answer',
  at: (all) => all,
  bytes: reply(status, body, extra),
  ending: 'close',
});
/** Forwards the request to the service and replaces its answer. */
const replaced = (status: string): RequestBreak => ({
  kind: 'reply',
  change: () => Buffer.from(reply(status)),
  ending: 'close',
});
const s3Error = (code: string, message: string) => `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;

let count = 0;
function uploadTo(world: WireWorld): Promise<Journey> {
  count += 1;
  return world.upload(world.put(`Answer ${count}.bin`, FILE_BYTES));
}
const sentForms = (world: WireWorld) => world.proxy.seen.filter(({ path }) => path.startsWith('/upload/')).length;
const notified = (world: WireWorld) =>
  world.proxy.seen.filter(({ path }) => path.startsWith('/postprocess/')).map(({ method }) => method);
const placeholders = async (world: WireWorld) => (await effectsOf(world.service, 'file-created')).length;

describe('with a service that needs a completion request,', () => {
  let world: WireWorld;
  beforeAll(async () => {
    world = await openWireWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.proxy.reset();
    await clearJournal(world.service);
  });

  it.each([
    ['403 Forbidden', s3Error('AccessDenied', 'Invalid according to Policy: Policy expired.')],
    ['400 Bad Request', s3Error('ExpiredToken', 'The provided token has expired.')],
    ['401 Unauthorized', 'FormPost: Form Expired'],
  ])('an expired destination (%s %s) is replaced by a new one in the same item', async (status, body) => {
    world.proxy.break({ ...UPLOAD, break: answered(status, body) });
    const journey = await uploadTo(world);
    expect(journey.errors).toMatchObject([{ code: 'upload.destination-lost', details: { reason: 'expired' } }]);
    expect(journey.row.attempts).toBe(1);
    await world.expectThereOnce(journey);
    expect([await placeholders(world), (await effectsOf(world.service, 'media-created')).length]).toEqual([2, 1]);
  });

  it('a destination that is expired twice in a row is a refusal, with the answer of the upload server', async () => {
    world.proxy.break({ ...UPLOAD, times: 9, break: answered('401 Unauthorized', 'FormPost: Form Expired') });
    const { row, errors } = await uploadTo(world);
    expect(row.state).toBe('failed');
    expect(errors.map(({ code }) => code)).toEqual(['upload.destination-lost', 'upload.refused']);
    expect(errors.at(-1)?.details).toMatchObject({ status: 401, answer: 'FormPost: Form Expired' });
    expect(sentForms(world)).toBe(2);
  });

  it('a destination that expired again after another error is replaced again', async () => {
    const expired = answered('401 Unauthorized', 'FormPost: Form Expired');
    world.proxy.break({ ...UPLOAD, break: expired });
    world.proxy.break({ ...UPLOAD, nth: 2, break: answered('502 Bad Gateway') });
    world.proxy.break({ ...UPLOAD, nth: 3, break: expired });
    const journey = await uploadTo(world);
    await world.expectThereOnce(journey);
    expect(sentForms(world)).toBe(4);
  });

  it.each([
    ['400 Bad Request', s3Error('RequestTimeout', 'Your socket connection was not read from in time.')],
    ['499 Client Closed', ''],
  ])(
    'an idle connection that the upload server closes with %s is lost, and the file is sent again',
    async (status, body) => {
      world.proxy.break({ ...UPLOAD, break: answered(status, body) });
      const journey = await uploadTo(world);
      expect(journey.errors.map(({ code }) => code)).toEqual(['upload.connection-lost']);
      await world.expectThereOnce(journey);
    },
  );

  it.each(['415 Unsupported Media Type', '400 Bad Request'])(
    'a completion that is refused when it is URL-encoded (%s) is sent as JSON, and later ones are JSON at once',
    async (status) => {
      // The proxy does not distinguish URL-encoded from JSON; it refuses the first completion.
      world.proxy.break({ ...COMPLETION, break: answered(status, '{"message":"JSON, please."}') });
      const first = await uploadTo(world);
      expect(first.errors).toEqual([]);
      expect(notified(world)).toEqual(['POST', 'POST']);
      await world.expectThereOnce(first);
      const second = await uploadTo(world);
      expect(notified(world)).toEqual(['POST', 'POST', 'POST']);
      await world.expectThereOnce(second);
    },
  );

  it.each([
    ['500 Internal Error', '{"message":"The worker is busy."}', 'api.server-error', 'The worker is busy.'],
    ['409 Conflict', '{"message":"Not yet replicated."}', 'upload.completion-refused', 'Not yet replicated.'],
    ['404 Not Found', '<h1>No such page</h1>', 'upload.completion-refused', 'No such page'],
  ])(
    'a completion that fails four times (%s) is retried without the file, with its own error',
    async (status, body, code, message) => {
      world.proxy.break({
        ...COMPLETION,
        times: 4,
        break: answered(status, body, 'Content-Type: application/json\r\n'),
      });
      const journey = await uploadTo(world);
      expect(journey.errors.map((error) => [error.code, error.details?.message])).toEqual([[code, message]]);
      expect(journey.row.attempts).toBe(4);
      expect([sentForms(world), notified(world).length, await placeholders(world)]).toEqual([1, 5, 1]);
      await world.expectThereOnce(journey);
    },
  );

  it('a completion that always fails is no longer sent when the service detects the bytes itself', async () => {
    // The completion takes effect, but its status is an error.
    world.proxy.break({ ...COMPLETION, times: 99, break: replaced('500 Internal Server Error') });
    const journey = await uploadTo(world);
    await world.expectThereOnce(journey);
    expect([sentForms(world), notified(world).length, journey.row.attempts]).toEqual([1, 1, 0]);
  });

  it('a file is sent again only when the service abandoned it, with the error of the completion', async () => {
    world.proxy.break({
      ...COMPLETION,
      times: 5,
      break: answered('422 Unprocessable', '{"message":"Checksum missing."}'),
    });
    const waits = whenRow(world.engine, ({ attempts, state }) => attempts === 3 && state === 'waiting');
    const uploading = uploadTo(world);
    const { error } = await waits;
    expect(error).toMatchObject({ code: 'upload.completion-refused', details: { message: 'Checksum missing.' } });
    expect([sentForms(world), await placeholders(world)]).toEqual([1, 1]);
    world.proxy.reset();
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 40 * 60_000 });
    const journey = await uploading;
    await world.service.control('PATCH', '/settings', { clock_offset_ms: 0 });
    expect(journey.errors.at(-1)).toMatchObject({
      code: 'upload.not-received',
      details: { message: 'Checksum missing.' },
    });
    expect(sentForms(world)).toBe(1);
    await world.expectThereOnce(journey);
  });
});
