// A proxy between the real engine and the real service that simulates another library: it changes requests and replies.
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface PassedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface PassedReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * The behavior of the other library. Both functions get copies; `reply` returns null to close the connection without
 * an answer.
 */
interface Changes {
  request?(request: PassedRequest): PassedRequest;
  reply?(reply: PassedReply, request: PassedRequest): PassedReply | null | Promise<PassedReply | null>;
}

export interface ChangingProxy {
  readonly baseUrl: string;
  /** Requests as the engine sent them, without the bodies of uploads. */
  readonly seen: PassedRequest[];
  /** Behaves like this from now on, and clears the recorded requests. */
  change(changes: Changes): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the service at `target` (plain http on loopback). */
export async function startChangingProxy(target: string): Promise<ChangingProxy> {
  const upstream = new URL(target);
  const sockets = new Set<Socket>();
  const seen: PassedRequest[] = [];
  let changes: Changes = {};
  let baseUrl = '';

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(incoming);
    const { method = '', url = '', headers } = incoming;
    const asked = { method, url, headers, body: body.toString() };
    if (!url.startsWith('/upload/')) seen.push(asked);
    const current = changes;
    const passed = current.request?.({ ...asked }) ?? asked;
    const isChanged = passed.body !== asked.body;
    const reply = await exchange(upstream, passed, isChanged ? Buffer.from(passed.body) : body);
    const own = { ...reply, body: reply.body.replaceAll(upstream.origin, baseUrl) };
    const given = current.reply === undefined ? own : await current.reply(own, asked);
    if (given === null) {
      incoming.socket.destroy();
      return;
    }
    const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _kept, ...rest } = given.headers;
    response.writeHead(given.status, {
      ...rest,
      ...(given.status === 204 ? {} : { 'content-length': Buffer.byteLength(given.body) }),
    });
    response.end(given.body);
  }

  const server = http.createServer((incoming, response) => {
    handle(incoming, response).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    seen,
    change(next) {
      changes = next;
      seen.length = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function exchange(upstream: URL, { method, url, headers }: PassedRequest, body: Buffer): Promise<PassedReply> {
  const { expect: _, 'transfer-encoding': __, ...rest } = headers;
  return new Promise((resolve, reject) => {
    const onward = http.request(
      {
        host: upstream.hostname,
        port: upstream.port,
        agent: false,
        method,
        path: url,
        headers: { ...rest, host: upstream.host, 'content-length': body.length },
      },
      (answer) => {
        textOf(answer).then(
          (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text.toString() }),
          reject,
        );
      },
    );
    onward.on('error', reject);
    onward.end(body);
  });
}

async function textOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
