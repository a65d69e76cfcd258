import { createHash, timingSafeEqual } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  abandonClaim,
  areProducts,
  type Claim,
  claimedFile,
  claimNext,
  HERE,
  isClaimed,
  keepProduct,
  LEASE_MS,
  releaseClaim,
  releaseUnknown,
  renewClaim,
  startClaim,
} from '../processing/claims.ts';
import { orderOf } from '../processing/order.ts';
import { finishClaim } from '../processing/save-outcome.ts';
import type { Outcome } from '../processing/work.ts';
import { ClaimLost } from '../processing/work-ended.ts';
import { signedContentUrl } from '../signed-urls/content-url.ts';
import { bodyTimeoutMs, checkSpaceOfUpload, type Site } from '../site/site.ts';
import { createWaker } from '../site/waker.ts';
import { CLAIMS_PATH } from '../site/workers-settings.ts';
import { bodyOf } from '../wire/body.ts';
import { sendContinue } from '../wire/expect-continue.ts';
import { acceptJsonBodies } from '../wire/json-body.ts';
import { pluginOf } from '../wire/plugin.ts';
import { badRequest, invalid, Problem } from '../wire/problem.ts';
import { discardBody } from '../wire/refused-body.ts';
import { claimRequestSchema, outcomeSchema } from './protocol.ts';

/** Longer than any claim is renewed for one file. */
const CONTENT_TTL_S = 7 * 86_400;
/** The reasons and figures of an outcome. */
const JSON_LIMIT_BYTES = 64 * 1024;
/** A product whose bytes do not come is given up when its claim is lost, which is looked at this often. */
const CHECK_MS = 5000;

type ClaimRequest = FastifyRequest<{ Params: { claim: string }; Querystring: { suspect?: unknown } }>;

/**
 * Serves the workers: they ask for work, renew their claims, send what they make, and report the outcome. Every request carries
 * `token`. None of this is a part of the API.
 */
export function registerWorkers(app: FastifyInstance, site: Site, token: string): void {
  const expected = digestOf(token);
  app.addHook('onRequest', async (request) => {
    const [, given = ''] = /^Bearer ([\x21-\x7e]{1,1000})$/.exec(request.headers.authorization ?? '') ?? [];
    if (timingSafeEqual(digestOf(given), expected)) return;
    await discardBody(request.raw);
    throw new Problem(401, 'The token of the worker is not valid.');
  });
  app.register(pluginOf((scope) => claimRoutes(scope, site)));
  app.register(pluginOf((scope) => productRoute(scope, site)));
}

const digestOf = (text: string) => createHash('sha256').update(text).digest();

function claimRoutes(app: FastifyInstance, site: Site): void {
  acceptJsonBodies(app, { limitBytes: JSON_LIMIT_BYTES, timeoutMs: () => bodyTimeoutMs(site) });

  app.post(CLAIMS_PATH, async (request, reply) => {
    const { worker, holds, returns, avoids } = bodyOf(claimRequestSchema, request.body);
    if (worker === HERE || worker.startsWith(`${HERE}:`)) throw badRequest('This name is that of the service itself.');
    for (const id of returns) await releaseClaim(site.store, id);
    await releaseUnknown(site.store, worker, holds);
    const orderFor = (file: Claim['file']) => orderOf(file, site.settings.current());
    const startsAtOnce = (file: Claim['file']) => orderFor(file).decided === null;
    const claim = await claimNext(site, worker, { kind: 'stored', except: avoids, startsAtOnce });
    if (claim === undefined) return reply.code(204).send();
    site.journal.effect(site.now(), { name: 'file-claimed', file_id: claim.file.id, worker });
    const url = new URL(signedContentUrl(site, claim.file, CONTENT_TTL_S));
    const order = orderFor(claim.file);
    // The settings may have changed since the claim.
    if (order.decided === null) await startClaim(site, claim);
    return { claim: claim.id, lease_ms: LEASE_MS, order, content_path: url.pathname };
  });

  app.post(`${CLAIMS_PATH}/:claim/renew`, async (request: ClaimRequest, reply) => {
    if (
      (await claimedFile(site.store, request.params.claim)) === undefined ||
      !(await renewClaim(site, request.params.claim))
    )
      throw lost();
    return reply.code(204).send();
  });

  app.post(`${CLAIMS_PATH}/:claim/outcome`, async (request: ClaimRequest, reply) => {
    const { claim } = request.params;
    const outcome = bodyOf(outcomeSchema, request.body);
    if (!(await isClaimed(site.store, claim))) throw lost();
    if (!(await finishClaim(site, claim, await checked(site, claim, outcome)))) throw lost();
    return reply.code(204).send();
  });

  app.delete(`${CLAIMS_PATH}/:claim`, async (request: ClaimRequest, reply) => {
    const { claim } = request.params;
    if (request.query.suspect === '1') await abandonClaim(site.store, claim);
    else await releaseClaim(site.store, claim);
    site.processing.wake();
    return reply.code(204).send();
  });
}

/** Returns an outcome with the true sizes. Throws 422 when it names a blob that is no product of the claim. */
async function checked(site: Site, claim: string, outcome: Outcome): Promise<Outcome> {
  const { encodings, thumb } = outcome;
  const names = [...encodings.map(({ storedName }) => storedName), ...(thumb ? [thumb.storedName] : [])];
  const refuse = () => invalid([{ field: 'storedName', message: 'must name a product of the claim' }]);
  if (new Set(names).size < names.length || !(await areProducts(site.store, claim, names))) throw refuse();
  const sized: Outcome['encodings'] = [];
  for (const made of encodings) {
    const sizeBytes = await site.blobs.size(made.storedName);
    if (sizeBytes === undefined) throw refuse();
    sized.push({ ...made, sizeBytes });
  }
  return { ...outcome, encodings: sized };
}

/** The bytes of a product, in a request of known length. */
function productRoute(app: FastifyInstance, site: Site): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
  app.put(
    `${CLAIMS_PATH}/:claim/products`,
    { bodyLimit: Number.MAX_SAFE_INTEGER },
    async (request: ClaimRequest, reply) => {
      const { claim } = request.params;
      const size = Number(request.headers['content-length'] ?? Number.NaN);
      try {
        if (!Number.isSafeInteger(size)) throw badRequest('The request needs a Content-Length.');
        if (request.body == null) throw badRequest('The request needs the type application/octet-stream.');
        if (!(await isClaimed(site.store, claim))) throw lost();
        checkSpaceOfUpload(site, size);
      } catch (error) {
        await discardBody(request.raw);
        throw error;
      }
      sendContinue(request.raw, reply.raw);
      const path = site.scratch.path();
      const checker = createWaker(async () => {
        const isKept = await isClaimed(site.store, claim).catch(() => true);
        if (!isKept) request.raw.destroy();
      });
      const check = setInterval(checker.wake, CHECK_MS);
      try {
        await pipeline(request.body as Readable, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
        return await reply.code(201).send({ name: await keepProduct(site, claim, path) });
      } catch (error) {
        throw error instanceof ClaimLost ? lost() : error;
      } finally {
        clearInterval(check);
        await rm(path, { force: true });
      }
    },
  );
}

const lost = () => new Problem(410, 'The claim is lost: the file was deleted, or the claim was not renewed in time.');
