import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request and its answer, as they passed the relay. */
export interface Exchange {
  method: string;
  /** The path without the query. */
  path: string;
  query: URLSearchParams;
  requestType: string;
  requestBody: string;
  status: number;
  answerType: string;
  location: string | null;
  answerBody: string;
}

export interface RecordingRelay {
  baseUrl: string;
  exchanges: Exchange[];
  /** Where requests go: the address of the service. Set it before the first request. */
  target: string;
  close(): Promise<void>;
}

/** Starts a relay that passes all requests on unchanged, and records them with their answers. */
export async function startRecordingRelay(): Promise<RecordingRelay> {
  const exchanges: Exchange[] = [];
  const server = createServer((asked, reply) => {
    pass(asked, reply, relay.target, exchanges).catch((error: unknown) => reply.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const relay: RecordingRelay = {
    baseUrl: `http://127.0.0.1:${port}`,
    exchanges,
    target: '',
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
  return relay;
}

async function pass(asked: IncomingMessage, reply: ServerResponse, target: string, exchanges: Exchange[]) {
  const body = await collected(asked);
  const { port } = new URL(target);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { ...asked.headers, 'x-forwarded-for': '127.0.0.1' };
    const { method, url: path } = asked;
    const sent = request({ host: '127.0.0.1', port, method, path, headers, setHost: false }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
  const bytes = await collected(answer);
  const url = new URL(asked.url ?? '/', 'http://relay');
  exchanges.push({
    method: asked.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    requestType: asked.headers['content-type'] ?? '',
    requestBody: body.toString('utf8'),
    status: answer.statusCode ?? 0,
    answerType: answer.headers['content-type'] ?? '',
    location: answer.headers.location ?? null,
    answerBody: bytes.toString('utf8'),
  });
  reply.writeHead(answer.statusCode ?? 502, answer.headers);
  reply.end(bytes);
}

async function collected(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
