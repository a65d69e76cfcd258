import type { IncomingMessage } from 'node:http';
import { type AppError, appError } from '../../../../shared/contract/app-error.ts';
import { kindOfNetworkCode } from '../../api/network-codes.ts';
import { plainWords } from '../../api/plain-words.ts';
import { retryAfterMs } from '../../api/retry-after.ts';
import { nodeClock } from '../../ports/node-clock.ts';

/** Longest text that is read of a destination's answer. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_TEXT_LENGTH = 500;

/** Codes with which form-data destinations accept: 303 names a page to look at, which is not followed. */
const ACCEPTED = new Set([200, 201, 202, 204, 303]);
/** The destination is no more; another one can be asked for. */
const GONE = new Set([404, 410]);
/** Worth another try later. */
const TRANSIENT = new Set([408, 425, 429, 500, 502, 503, 504, 507]);

/** Reads the answer's text up to its limit. A cut answer gives what came. */
export async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The status line is what decides; a connection cut inside the text takes nothing away from it.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

/** The error that a status stands for; null when the destination accepted. */
export function refusalOf(response: IncomingMessage, text: string, sentBytes: number): AppError | null {
  const status = response.statusCode ?? 0;
  if (ACCEPTED.has(status)) return null;
  const details = { status, answer: plainWords(text).slice(0, MAX_TEXT_LENGTH), sentBytes };
  if (GONE.has(status)) return appError('upload.destination-lost', { details });
  if (TRANSIENT.has(status)) {
    const askedMs = retryAfterMs(response.headers, nodeClock.now());
    return appError('api.server-error', {
      details: askedMs === null ? details : { ...details, retryAfterMs: askedMs },
    });
  }
  const message = `The upload destination refused the file (status ${status}).`;
  return appError('upload.refused', { message, details });
}

/** Also in the middle of a transfer these say that there is no way to the host. */
const NO_NETWORK = new Set(['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENONET', 'EADDRNOTAVAIL']);

/** What a broken transfer means, by its code. */
export function transferError(reason: unknown, facts: { sentBytes: number; allSent: boolean }): unknown {
  const code = (reason as NodeJS.ErrnoException | null)?.code;
  // Errors that were classified where they arose (stall, local file) only get the count.
  if (isAppError(reason)) {
    return appError(reason.code, {
      message: reason.message,
      details: { ...reason.details, sentBytes: facts.sentBytes },
      cause: reason.cause,
    });
  }
  const options = { details: { ...facts, reason: code ?? null }, cause: reason };
  if (isUnreachable(reason)) return appError('network.unreachable', options);
  if (code !== undefined && kindOfNetworkCode(code) === 'tls') return appError('network.tls', options);
  return appError('upload.connection-lost', options);
}

function isUnreachable(reason: unknown): boolean {
  const { code, syscall, errors } = (reason ?? {}) as NodeJS.ErrnoException & { errors?: unknown[] };
  // A host with several addresses fails with one error for each; the first stands for all.
  if (errors?.[0] !== undefined) return isUnreachable(errors[0]);
  if (code === undefined) return false;
  // A name like EACCES can be a file's as well; what the connection says comes with its own call.
  const kind = kindOfNetworkCode(code);
  const isConnecting = syscall === 'connect' || syscall === 'getaddrinfo';
  return NO_NETWORK.has(code) || (isConnecting && (kind === 'unreachable' || kind === 'timed-out'));
}

export function isAppError(reason: unknown): reason is AppError {
  return reason instanceof Error && reason.name === 'AppError';
}
