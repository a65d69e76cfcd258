// A proxy between the real engine and the real service that answers selected requests itself.
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One complete request; method, address and body identify it. */
export interface WholeRequest {
  method: string;
  /** Path and query. */
  url: string;
  body: Buffer;
  /** Milliseconds of real time since the proxy began. */
  atMs: number;
}

interface StandIn {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** The service handles the request, but its reply is replaced. */
  afterEffect?: boolean;
}

export interface ErringProxy {
  readonly baseUrl: string;
  readonly seen: (WholeRequest & { status: number })[];
  /** The answer to send instead of the service's; null forwards the request. */
  decide: (request: WholeRequest) => StandIn | null;
  close(): Promise<void>;
}

/** Starts the proxy in front of the service at `target`. It keeps complete bodies in memory: for small files only. */
export async function startErringProxy(target: string): Promise<ErringProxy> {
  const upstream = new URL(target);
  const startedAt = performance.now();
  const agent = new http.Agent({ keepAlive: false });
  const proxy: ErringProxy = {
    baseUrl: '',
    seen: [],
    decide: () => null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '' } = request;
    const whole = { method, url, body: Buffer.concat(chunks), atMs: performance.now() - startedAt };
    const instead = proxy.decide(whole);
    if (instead !== null && instead.afterEffect !== true) {
      proxy.seen.push({ ...whole, status: instead.status });
      response.writeHead(instead.status, instead.headers ?? {}).end(instead.body ?? '<h1>Oh</h1>');
      return;
    }
    const { expect: _, 'transfer-encoding': __, ...headers } = request.headers;
    const onward = http.request({
      host: upstream.hostname,
      port: upstream.port,
      agent,
      method,
      path: url,
      headers: { ...headers, host: upstream.host, 'content-length': whole.body.length },
    });
    // Without a listener, an error of the connection during the answer would end the tests; the answer reports it, too.
    onward.on('error', () => {});
    onward.end(whole.body);
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('latin1').replaceAll(upstream.origin, proxy.baseUrl);
    const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _kept, ...rest } = answer.headers;
    const location = rest.location?.replace(upstream.origin, proxy.baseUrl);
    const status = answer.statusCode ?? 0;
    proxy.seen.push({ ...whole, status: instead?.status ?? status });
    if (instead !== null) {
      response.writeHead(instead.status, instead.headers ?? {}).end(instead.body ?? '<h1>Oh</h1>');
      return;
    }
    response.writeHead(status, { ...rest, ...(location === undefined ? {} : { location }) });
    response.end(Buffer.from(text, 'latin1'));
  };
  const server = http.createServer((request, response) => {
    // The client has aborted the request.
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(proxy, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  return proxy;
}

/** Returns a key that equal requests share: method, address and body; for a destination, the name of the file. */
export function nameOfRequest({ method, url, body }: WholeRequest): string {
  const fileName = /filename="([^"]*)"/.exec(body.subarray(0, 4096).toString('latin1'))?.[1];
  if (url.startsWith('/upload/')) return `${method} /upload ${fileName ?? ''}`;
  return `${method} ${url} ${body.toString('latin1')}`;
}
