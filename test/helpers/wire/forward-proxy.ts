// A proxy as institutions have one: CONNECT for encrypted connections, whole addresses for others, and a sign-in if wanted.
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ForwardProxyOptions {
  /** The user and password that it asks for; none unless given. */
  user?: { name: string; password: string };
  /** Value of its Proxy-Authenticate header. */
  scheme?: string;
  /** The status with which it refuses every CONNECT. */
  refusal?: number;
}

export interface ForwardProxy {
  readonly port: number;
  /** Host and port, as Mediadesk names it. */
  readonly name: string;
  /** What was asked for: `CONNECT host:port`, or a method and a whole address. */
  readonly seen: string[];
  /** How many requests it refused with 407. */
  readonly refusals: number;
  /** Changes what it asks for, and closes all tunnels. */
  change(options: ForwardProxyOptions): void;
  /** Stops listening; `listen` continues on the same port. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a proxy. Every host that ends with `.test` is this computer for it; no other program finds such a host. Closed at the end
 * of the test unless `isShared`.
 */
export async function startForwardProxy(start: ForwardProxyOptions = {}, isShared = false): Promise<ForwardProxy> {
  let options = start;
  let port = 0;
  let refusals = 0;
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer();

  const isAllowed = (request: IncomingMessage) => {
    if (options.user === undefined) return true;
    const { name, password } = options.user;
    const wanted = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    if (request.headers['proxy-authorization'] === wanted) return true;
    refusals += 1;
    return false;
  };
  const challenge = () => options.scheme ?? 'Basic realm="institution"';
  const placeOf = (host: string) => (host.endsWith('.test') ? '127.0.0.1' : host);

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    seen.push(`CONNECT ${request.url}`);
    if (!isAllowed(request)) {
      client.end(
        `HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: ${challenge()}\r\ncontent-length: 0\r\n\r\n`,
      );
      return;
    }
    if (options.refusal !== undefined) {
      client.end(`HTTP/1.1 ${options.refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const [host = '', target = ''] = (request.url ?? '').split(':');
    const onward = connect(Number(target), placeOf(host), () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(client);
      client.pipe(onward);
    });
    onward.on('error', () => client.destroy());
    onward.once('close', () => client.destroy());
    client.once('close', () => onward.destroy());
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    seen.push(`${request.method} ${request.url}`);
    if (!isAllowed(request)) {
      response.writeHead(407, { 'proxy-authenticate': challenge() }).end();
      return;
    }
    const url = new URL(request.url ?? '');
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const onward = http.request({
      host: placeOf(url.hostname),
      port: url.port,
      method: request.method,
      path: url.pathname + url.search,
      headers,
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });

  const listen = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  const hangUp = () => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async () => {
    hangUp();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  await listen();
  if (!isShared) onTestFinished(stop);
  return {
    get port() {
      return port;
    },
    get name() {
      return `127.0.0.1:${port}`;
    },
    seen,
    get refusals() {
      return refusals;
    },
    change(next) {
      options = next;
      hangUp();
    },
    refuse: stop,
    listen,
    close: stop,
  };
}
