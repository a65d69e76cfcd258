import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type AppError, appError } from '../../../../../shared/contract/app-error.ts';
import { kindOfNetworkCode } from '../../../api/network-codes.ts';
import { proxyError } from '../../../api/network-messages.ts';
import { plainWords } from '../../../api/plain-words.ts';
import { retryAfterMs } from '../../../api/retry-after.ts';
import { faultFactsOf, ProxyFault } from '../../../network/connection-fault.ts';
import { nodeClock } from '../../../ports/system/node-clock.ts';
import { destinationVerdictOf, readStoreError } from './destination-verdict.ts';

/** The maximum length read of a destination's answer. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_TEXT_LENGTH = 500;

/** Reads the answer's text up to its limit. A truncated answer returns what arrived. */
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
    // The status line decides; a connection that breaks in the text does not change it.
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8');
}

/** An answer: `text` is the body as far as it was read. */
export interface DestinationAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** How much of a form was sent before it was answered. */
export interface SentSoFar {
  sentBytes: number;
  allSent: boolean;
}

/** Returns the error of an answer; null when the destination says that it has the file. */
export function destinationRefusalOf({ status, headers, text }: DestinationAnswer, sent: SentSoFar): AppError | null {
  const { code } = readStoreError(text);
  const answer = plainWords(text).slice(0, MAX_TEXT_LENGTH);
  const details = { status, ...(code === null ? {} : { code }), answer, ...sent };
  switch (destinationVerdictOf(status, text)) {
    case 'received':
      return null;
    case 'gone':
      return appError('upload.destination-lost', { details });
    case 'expired':
      return appError('upload.destination-lost', {
        message: 'The upload server reports that the permission to send has expired.',
        details: { ...details, reason: EXPIRED },
      });
    case 'lost':
      return appError('upload.connection-lost', { details });
    case 'busy': {
      if (code === UNREAD_FORM && !sent.allSent) return appError('upload.connection-lost', { details });
      const askedMs = retryAfterMs(headers, nodeClock.now());
      return appError('api.server-error', {
        message: `The upload server can’t accept the file now (status ${status}).`,
        details: askedMs === null ? details : { ...details, retryAfterMs: askedMs },
      });
    }
    case 'moved':
    case 'refused': {
      const message = `The upload server refused the file (status ${status}).`;
      return appError('upload.refused', { message, details });
    }
  }
}

/** Ceph RGW sends this code with 500 during a form whose connection was idle for 65 s. */
const UNREAD_FORM = 'UnknownError';

const EXPIRED = 'expired';

/** Returns whether a transfer failed because its descriptor had expired. */
export function isExpired({ code, details }: AppError): boolean {
  return code === 'upload.destination-lost' && details?.reason === EXPIRED;
}

/** These codes mean, also during a transfer, that there is no route to the host. */
const NO_NETWORK = new Set(['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENONET', 'EADDRNOTAVAIL']);

/** Returns the error of a broken transfer by its code. */
export function transferError(reason: unknown, facts: SentSoFar): unknown {
  const code = (reason as NodeJS.ErrnoException | null)?.code;
  // Errors that were classified where they occurred (stall, local file) only get the byte count.
  if (isAppError(reason)) {
    return appError(reason.code, {
      message: reason.message,
      details: { ...reason.details, sentBytes: facts.sentBytes },
      cause: reason.cause,
    });
  }
  if (reason instanceof ProxyFault) {
    const { code: ofProxy, message } = proxyError(reason.code, reason.facts);
    return appError(ofProxy, { message, details: { ...facts, ...reason.facts, reason: reason.code }, cause: reason });
  }
  const { issuer } = faultFactsOf(reason);
  const options = { details: { ...facts, reason: code ?? null, ...(issuer && { issuer }) }, cause: reason };
  if (isUnreachable(reason)) return appError('network.unreachable', options);
  if (code !== undefined && kindOfNetworkCode(code) === 'tls') return appError('network.tls', options);
  return appError('upload.connection-lost', options);
}

function isUnreachable(reason: unknown): boolean {
  const { code, syscall, errors } = (reason ?? {}) as NodeJS.ErrnoException & { errors?: unknown[] };
  // A host with several addresses fails with one error for each; the first represents all.
  if (errors?.[0] !== undefined) return isUnreachable(errors[0]);
  if (code === undefined) return false;
  // A code like EACCES can come from a file, too; connection errors name their system call.
  const kind = kindOfNetworkCode(code);
  const isConnecting = syscall === 'connect' || syscall === 'getaddrinfo';
  return NO_NETWORK.has(code) || (isConnecting && (kind === 'unreachable' || kind === 'timed-out'));
}

export function isAppError(reason: unknown): reason is AppError {
  return reason instanceof Error && reason.name === 'AppError';
}
