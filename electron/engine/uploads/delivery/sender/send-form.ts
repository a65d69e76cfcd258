import type { Agent, ClientRequest } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { appError } from '../../../../../shared/contract/app-error.ts';
import { abortable } from '../../../common/abortable.ts';
import type { ConnectionPool } from '../../../network/connections.ts';
import { headThrough, isThroughProxy } from '../../../network/routed-agents.ts';
import type { Hashes } from '../../../ports/hashes.ts';
import { isAppError, transferError } from './answers.ts';
import { pumpFile } from './file-pump.ts';
import { buildFormParts } from './form-parts.ts';
import { ExpectationFailed, FormTransfer, StaleConnection } from './form-transfer.ts';
import { Redirected, redirectTarget } from './redirects.ts';
import { DEFAULT_TIMING, type SendForm, type SendFormOptions, type SendResult } from './send-options.ts';

/** Creates the sender. `hashes` computes the SHA-256 of what it sends. */
export function createSender(hashes: Hashes): SendForm {
  return async (options) => {
    let askFirst = options.expected.sizeBytes >= ASK_FIRST_FROM_BYTES;
    let target: AttemptOptions = options;
    for (let hops = 0; ; ) {
      try {
        return await attempt(target, askFirst, hashes);
      } catch (error) {
        if (error instanceof Redirected) {
          // A new connection: the address of a reused one was not checked by the rules for redirects.
          target = { ...options, ...redirectTarget(error, target.url, hops) };
          hops += 1;
          options.onProgress(0);
          continue;
        }
        // The loop ends: a failed reused connection is closed, and the go-ahead is requested only once.
        if (error instanceof ExpectationFailed) askFirst = false;
        else if (!(error instanceof StaleConnection)) throw error;
      }
    }
  };
}

/** Options of one attempt: to the destination itself, or to the address that it redirected to. */
type AttemptOptions = SendFormOptions & { lookup?: LookupFunction };

/** Below this size, requesting a go-ahead costs more than a refusal would waste. */
const ASK_FIRST_FROM_BYTES = 256 * 1024;

/** How often the file is checked while it is sent, so that a changed file is not sent for hours. */
const FILE_CHECK_EVERY_MS = 1000;

async function attempt(options: AttemptOptions, askFirst: boolean, hashes: Hashes): Promise<SendResult> {
  options.signal.throwIfAborted();
  const timing = { ...DEFAULT_TIMING, ...options.timing };
  const parts = buildFormParts(options, () => Buffer.from(options.random.bytes(24)).toString('hex'));
  const pool = options.lookup === undefined ? options.connections.kept : options.connections.fresh;
  const agent = await pool.agentFor(options.url).catch((error: unknown) => {
    throw transferError(error, { sentBytes: 0, allSent: false });
  });
  options.signal.throwIfAborted();
  const request = startRequest(options, agent, parts.boundary, parts.head.length + parts.tail.length, askFirst);
  const transfer = new FormTransfer(request, { ...options, isThroughProxy: isThroughProxy(agent) }, timing);
  const hash = options.hash ? hashes.begin(options.expected.sizeBytes) : null;
  let checkedAt = options.clock.monotonic();
  try {
    if (askFirst) await transfer.goAhead();
    await transfer.write(parts.head);
    await pumpFile({
      file: options.file,
      sizeBytes: options.expected.sizeBytes,
      hash,
      gate: options.gate,
      signal: transfer.signal,
      clock: options.clock,
      write: async (chunk) => {
        if (options.clock.monotonic() - checkedAt >= FILE_CHECK_EVERY_MS) {
          await assertUnchanged(options, transfer.signal);
          checkedAt = options.clock.monotonic();
        }
        await transfer.write(chunk);
        transfer.countFileBytes(chunk.length);
      },
    });
    // All checks come before the last boundary, because after it the destination can accept the form.
    const sha256 = hash === null ? null : await abortable(hash.digest(), transfer.signal);
    await assertUnchanged(options, transfer.signal);
    if (sha256 !== null) options.onHashed?.(sha256);
    transfer.finish(parts.tail);
    options.onAllSent?.();
    return { status: await transfer.acceptedStatus(), sha256 };
  } catch (error) {
    throw await answerOfProxy(await transfer.explain(error), options.url, pool);
  } finally {
    hash?.end();
    transfer.dispose();
  }
}

/** Returns the error of a transfer, or that of the proxy which refused the form in the place of the destination. */
async function answerOfProxy(error: unknown, url: URL, pool: Pick<ConnectionPool, 'faultOfAnswer'>): Promise<unknown> {
  if (!isAppError(error) || error.details?.status !== 407) return error;
  const fault = await pool.faultOfAnswer(url, { status: 407, headers: {} });
  return fault === null ? error : transferError(fault, { sentBytes: 0, allSent: false });
}

function startRequest(
  options: AttemptOptions,
  agent: Agent,
  boundary: string,
  frameBytes: number,
  askFirst: boolean,
): ClientRequest {
  const send = options.url.protocol === 'https:' ? httpsRequest : httpRequest;
  // Node would make an Authorization header of a user name in the address.
  const url = new URL(options.url);
  url.username = '';
  url.password = '';
  const { headers, ...through } = headThrough(agent, url);
  return send(url, {
    ...through,
    method: 'POST',
    agent,
    ...(options.lookup ? { lookup: options.lookup } : {}),
    headers: {
      ...headers,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': frameBytes + options.expected.sizeBytes,
      Accept: '*/*',
      ...(askFirst ? { Expect: '100-continue' } : {}),
    },
  });
}

/** Throws `file.changed` when the file has changed since the upload was planned; then the last boundary is never sent. */
async function assertUnchanged({ file, expected }: AttemptOptions, signal: AbortSignal): Promise<void> {
  const now = await abortable(file.facts(), signal);
  if (now.sizeBytes !== expected.sizeBytes || now.mtimeMs !== expected.mtimeMs) {
    throw appError('file.changed', { details: { expectedBytes: expected.sizeBytes, foundBytes: now.sizeBytes } });
  }
}
