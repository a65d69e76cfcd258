import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';

export const actionSchema = z.discriminatedUnion('kind', [
  /** Answers immediately, without any effect. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Waits, then continues normally. */
  z.strictObject({ kind: z.literal('delay'), ms: z.number().int().min(0).max(600_000) }),
  /** Resets the connection after this number of body bytes, or at the end of a shorter body. */
  z.strictObject({ kind: z.literal('reset'), afterBytes: z.number().int().min(0) }),
  /** Reads this number of body bytes and no further ones; the connection stays open without an answer. */
  z.strictObject({ kind: z.literal('stall'), afterBytes: z.number().int().min(0).default(0) }),
  /** Handles the request, and ends the connection after this number of bytes of the reply's body. */
  z.strictObject({ kind: z.literal('truncate'), afterBytes: z.number().int().min(0).default(0) }),
  /** Handles the request, and answers with a body in which some bytes are wrong. */
  z.strictObject({ kind: z.literal('garble') }),
  /** Handles the request, then resets the connection instead of answering. */
  z.strictObject({ kind: z.literal('lose-reply') }),
]);

export type FaultAction = z.output<typeof actionSchema>;

/** Applies a fault to a request. `next` handles the request normally. */
export function perform(
  action: FaultAction,
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): void {
  switch (action.kind) {
    case 'status':
      answer(action, request, response);
      return;
    case 'delay':
      setTimeout(next, action.ms);
      return;
    case 'reset':
      resetAfter(request, action.afterBytes);
      if (action.afterBytes > 0) next();
      return;
    case 'stall':
      stallAfter(request, action.afterBytes);
      if (action.afterBytes > 0) next();
      return;
    case 'truncate':
      changeReply(request, response, truncation(action.afterBytes));
      next();
      return;
    case 'garble':
      changeReply(request, response, garbling());
      next();
      return;
    case 'lose-reply':
      loseReply(request, response);
      next();
  }
}

function answer(
  action: Extract<FaultAction, { kind: 'status' }>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const isText = typeof action.body === 'string';
  const body = isText
    ? (action.body as string)
    : JSON.stringify(action.body ?? { message: `Fault: ${action.status}.` });
  response.writeHead(action.status, {
    'content-type': isText ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    ...action.headers,
  });
  response.end(action.status === 204 || action.status === 304 ? undefined : body);
  request.resume();
}

/** Resets the connection after this number of body bytes. They are counted where they enter the stream, read or not. */
function resetAfter(request: IncomingMessage, afterBytes: number): void {
  if (afterBytes === 0) {
    request.socket.resetAndDestroy();
    return;
  }
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (chunk: Buffer | null) => {
    bytes += chunk?.length ?? 0;
    if (chunk !== null && bytes < afterBytes) return push(chunk);
    request.socket.resetAndDestroy();
    return false;
  };
}

/** Discards the answer, and resets the connection where the answer would end. */
function loseReply(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request;
  response.writeHead = (() => response) as typeof response.writeHead;
  response.write = (() => true) as typeof response.write;
  response.flushHeaders = () => {};
  response.end = (() => {
    socket.resetAndDestroy();
    return response;
  }) as typeof response.end;
}

/**
 * Stops reading after this number of body bytes. Bytes that are not pushed are not read either: the TCP window of the client
 * fills up and stays full.
 */
function stallAfter(request: IncomingMessage, afterBytes: number): void {
  const push = request.push.bind(request);
  let bytes = 0;
  request.push = (chunk: Buffer | null) => {
    bytes += chunk?.length ?? 0;
    return chunk !== null && bytes < afterBytes ? push(chunk) : false;
  };
}

/** A piece of the reply's body to send; `cut` ends the connection after it. */
interface Piece {
  bytes: Buffer;
  cut: boolean;
}

function truncation(afterBytes: number): (chunk: Buffer) => Piece {
  let left = afterBytes;
  return (chunk) => {
    const bytes = chunk.subarray(0, left);
    left -= bytes.length;
    return { bytes, cut: bytes.length < chunk.length };
  };
}

const GARBLED_EVERY = 16;

function garbling(): (chunk: Buffer) => Piece {
  let at = 0;
  return (chunk) => {
    const bytes = Buffer.from(chunk);
    for (let index = 0; index < bytes.length; index += 1, at += 1) {
      if (at % GARBLED_EVERY === 0) bytes[index] = (bytes[index] ?? 0) ^ 0xa5;
    }
    return { bytes, cut: false };
  };
}

/** Changes the reply's body before it is sent. */
function changeReply(request: IncomingMessage, response: ServerResponse, change: (chunk: Buffer) => Piece): void {
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  let isCut = false;

  function send(chunk: unknown, encoding: unknown): boolean {
    if (isCut) return true;
    const given = typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : (chunk as Buffer);
    const { bytes, cut } = change(given);
    if (cut) isCut = true;
    if (cut && bytes.length === 0) response.flushHeaders();
    const flows = bytes.length === 0 || write(bytes);
    if (cut) request.socket.destroySoon();
    return flows;
  }

  response.write = ((chunk: unknown, encoding: unknown) => send(chunk, encoding)) as typeof response.write;
  response.end = ((chunk: unknown, encoding: unknown) => {
    if (chunk != null && typeof chunk !== 'function') send(chunk, encoding);
    return isCut ? response : end();
  }) as typeof response.end;
}
