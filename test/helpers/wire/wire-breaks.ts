// What a wire proxy can do to one request and its reply.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How a connection ends: with a reset, normally, or half-closed. */
export type Ending = 'reset' | 'close' | 'half-close' | 'keep';

/** A position in the request's body, computed from its length. */
export type Place = (bodyBytes: number) => number;

export type RequestBreak =
  /** Forwards the body up to a position; then closes the connection on both sides. */
  | { kind: 'cut'; at: Place; how: Exclude<Ending, 'keep'> }
  /** Reads the body up to a position, and then nothing more. */
  | { kind: 'stall'; at: Place }
  /** Reads the body up to a position, and from there byte by byte. */
  | { kind: 'trickle'; at: Place; everyMs: number }
  /** Reads the body up to a position, forwards nothing, and answers. Sends a requested go-ahead only if `at` > 0. */
  | { kind: 'answer'; at: Place; bytes: string; ending: Ending }
  /** Forwards the request, and sends another reply instead of the service's. */
  | { kind: 'reply'; change(reply: Buffer): Buffer; ending: Ending }
  /** Forwards the request; the reply is never sent. */
  | { kind: 'lose-reply'; how: Exclude<Ending, 'keep'> }
  /** Forwards the request; nothing is sent afterwards, and nothing is closed. */
  | { kind: 'mute' }
  /** The go-ahead: none, two, or one only after this number of bytes of the body. */
  | { kind: 'go-ahead'; how: 'never' | 'twice' | { afterBytes: number } };

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Forwarded {
  onward: ClientRequest;
  /** Resolves with the complete reply; call it before the body is forwarded. */
  reply(): Promise<Reply>;
  /** Forwards the body, and the reply back. */
  replyAsItComes(): void;
}

export interface BreakTools {
  request: IncomingMessage;
  response: ServerResponse;
  asksFirst: boolean;
  /** The TCP socket of a connection that may use TLS. */
  wireOf(socket: Socket): Socket;
  /** Starts the same request to the service and, unless configured otherwise, sends the requested 100 Continue. */
  forward(options?: { withGoAhead: boolean }): Forwarded;
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

export function breakRequest(what: RequestBreak, tools: BreakTools): void {
  const { request, response } = tools;
  const socket = request.socket;
  switch (what.kind) {
    case 'cut': {
      const { onward } = tools.forward();
      takeUpTo(
        request,
        what.at(bodyBytesOf(request)),
        (chunk) => onward.write(chunk),
        () => {
          onward.destroy();
          end(tools, what.how);
        },
      );
      return;
    }
    case 'stall':
      if (tools.asksFirst) response.writeContinue();
      takeUpTo(
        request,
        what.at(bodyBytesOf(request)),
        () => {},
        () => {},
      );
      return;
    case 'trickle':
      if (tools.asksFirst) response.writeContinue();
      takeUpTo(
        request,
        what.at(bodyBytesOf(request)),
        () => {},
        () => trickle(request, what.everyMs),
      );
      return;
    case 'answer': {
      const place = what.at(bodyBytesOf(request));
      if (tools.asksFirst && place > 0) response.writeContinue();
      takeUpTo(
        request,
        place,
        () => {},
        () => {
          socket.write(what.bytes);
          if (what.ending === 'keep') request.resume();
          else end(tools, what.ending);
        },
      );
      return;
    }
    case 'reply':
      void wholeReply(tools).then((reply) => {
        socket.write(what.change(rawReply(reply)));
        end(tools, what.ending);
      });
      return;
    case 'lose-reply':
      void wholeReply(tools).then(() => end(tools, what.how));
      return;
    case 'mute':
      void wholeReply(tools);
      return;
    case 'go-ahead':
      breakGoAhead(what.how, tools);
  }
}

function bodyBytesOf(request: IncomingMessage): number {
  return Number(request.headers['content-length'] ?? 0);
}

/** Reads the body up to a position, returns it, and stops reading there. */
function takeUpTo(request: IncomingMessage, place: number, onChunk: (chunk: Buffer) => void, then: () => void): void {
  const bytes = Math.floor(place);
  if (bytes <= 0) {
    then();
    return;
  }
  let taken = 0;
  const onData = (chunk: Buffer) => {
    const part = chunk.subarray(0, bytes - taken);
    taken += part.length;
    onChunk(part);
    if (taken < bytes) return;
    request.off('data', onData);
    request.pause();
    then();
  };
  request.on('data', onData);
  request.resume();
}

function trickle(request: IncomingMessage, everyMs: number): void {
  const timer = setInterval(() => request.read(1), everyMs);
  request.once('close', () => clearInterval(timer));
}

async function wholeReply(tools: BreakTools): Promise<Reply> {
  const { onward, reply } = tools.forward();
  const coming = reply();
  tools.request.pipe(onward);
  return coming;
}

function rawReply({ status, headers, body }: Reply): Buffer {
  const lines = Object.entries({ ...headers, 'content-length': String(body.length) });
  const head = lines.flatMap(([name, value]) => [value].flat().map((each) => `${name}: ${each}\r\n`)).join('');
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Status\r\n${head}\r\n`),
    status === 204 ? Buffer.alloc(0) : body,
  ]);
}

function breakGoAhead(how: Extract<RequestBreak, { kind: 'go-ahead' }>['how'], tools: BreakTools): void {
  const { request } = tools;
  if (how === 'twice') request.socket.write(CONTINUE + CONTINUE);
  const { onward, reply } = tools.forward({ withGoAhead: false });
  const coming = reply();
  let taken = 0;
  request.on('data', (chunk: Buffer) => {
    const before = taken;
    taken += chunk.length;
    if (typeof how === 'object' && before < how.afterBytes && taken >= how.afterBytes) request.socket.write(CONTINUE);
  });
  request.pipe(onward);
  void coming.then(({ status, headers, body }) => {
    tools.response.writeHead(status, { ...headers, 'content-length': body.length });
    tools.response.end(body);
  });
}

/** Closes a connection; a reset happens below TLS, without a close message. */
function end({ request, wireOf }: BreakTools, how: Ending): void {
  const { socket } = request;
  if (how === 'half-close') socket.end();
  else if (how === 'reset') wireOf(socket).resetAndDestroy();
  else if (how === 'close') socket.destroySoon();
}
