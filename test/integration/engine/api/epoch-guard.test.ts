// A library tells in each answer whether it was restored from a backup. Nothing is changed in it before one such answer was seen.
import { expect, it } from 'vitest';
import { createEpochGuard, type KnownEpoch } from '../../../../electron/engine/api/epoch-guard.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { startSmallServer } from '../../../helpers/wire/small-server.ts';
import { clientOf } from './site-client.ts';

/** A library that answers looks at it as given, and a client that knows the epoch `before`. */
async function libraryOf(look: { status: number; epoch?: string; body?: unknown }) {
  let now = look;
  const server = await startSmallServer(({ method }, response) => {
    const { status, epoch, body = {} } = method === 'GET' ? now : { status: 204, epoch: 'restored', body: '' };
    const headers = {
      'content-type': 'application/json',
      ...(epoch === undefined ? {} : { 'x-library-epoch': epoch }),
    };
    response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(body));
  });
  let known: KnownEpoch = { epoch: 'before' };
  const epochs = createEpochGuard({
    record: () => known,
    update: (change) => {
      known = { ...known, ...change };
    },
    onDidChange: () => {},
  });
  const client = clientOf(server.url, { epochs });
  return {
    client,
    known: () => known,
    sent: () => server.seen.filter(({ method }) => method !== 'GET').length,
    answer: (next: typeof look) => {
      now = next;
    },
    remove: () => client.request({ method: 'DELETE', target: '/api2/media/57' }),
  };
}

const TOKEN_INFO = { audience: 'desk', user_id: '1', scope: '', expires_in: 60 };

it.each([502, 503, 404, 401, 200])('an answer %s of a proxy proves nothing: the change is not sent', async (status) => {
  const library = await libraryOf({ status, body: { message: 'a proxy' } });
  await expect(library.remove()).rejects.toBeInstanceOf(AppError);
  expect(library.sent()).toBe(0);
});

it('a restored library gets no change until the user decided, and then all', async () => {
  const library = await libraryOf({ status: 200, epoch: 'restored', body: TOKEN_INFO });
  await expect(library.remove()).rejects.toMatchObject({ code: 'site.restored', details: { outcome: 'not-sent' } });
  await expect(library.remove()).rejects.toMatchObject({ code: 'site.restored' });
  expect([library.sent(), library.known().restoredEpoch]).toEqual([0, 'restored']);
  Object.assign(library.known(), { epoch: 'restored', restoredEpoch: null });
  await library.remove();
  expect(library.sent()).toBe(1);
});

it('the hold ends when the library is the one from before again', async () => {
  const library = await libraryOf({ status: 200, epoch: 'restored', body: TOKEN_INFO });
  await expect(library.remove()).rejects.toMatchObject({ code: 'site.restored' });
  library.answer({ status: 200, epoch: 'before', body: TOKEN_INFO });
  await library.client.get('/api2/media/57');
  expect(library.known()).toEqual({ epoch: 'before', restoredEpoch: null });
});

it('a library that does not tell its epoch any more is used', async () => {
  const library = await libraryOf({ status: 200, body: TOKEN_INFO });
  await library.remove();
  expect(library.sent()).toBe(1);
});
