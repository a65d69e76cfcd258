// A server that reads and writes bytes by script, so that it can misbehave in every way a peer can.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

export interface RequestHead {
  requestLine: string;
  /** Lower-case names; a repeated header is a test's mistake and throws. */
  headers: ReadonlyMap<string, string>;
}

/** One connection, seen from the server. Reads only when asked, so that a script that waits exerts real back-pressure. */
export class RawPeer {
  readonly socket: Socket;
  /** Bytes that the script has taken, the head included. */
  takenBytes = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('error', () => {}); // Broken connections are what these tests are about.
  }

  /** What has arrived, at most `limit` bytes; null when the other side has ended or gone. */
  async read(limit = Number.POSITIVE_INFINITY): Promise<Buffer | null> {
    for (;;) {
      const chunk = this.socket.read() as Buffer | null;
      if (chunk !== null) {
        if (chunk.length > limit) this.socket.unshift(chunk.subarray(limit));
        const taken = chunk.subarray(0, limit);
        this.takenBytes += taken.length;
        return taken;
      }
      if (this.socket.readableEnded || this.socket.destroyed) return null;
      await this.#something();
    }
  }

  /** Exactly so many bytes, or fewer when the other side ends before. */
  async readExactly(length: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const chunk = await this.read(missing);
      if (chunk === null) break;
      chunks.push(chunk);
      missing -= chunk.length;
    }
    return Buffer.concat(chunks);
  }

  /** Everything until the other side ends or goes. */
  async readToEnd(): Promise<Buffer> {
    return this.readExactly(Number.POSITIVE_INFINITY);
  }

  /** Takes and drops what still comes, until the other side has ended or gone. */
  async untilGone(): Promise<void> {
    while ((await this.read()) !== null);
    this.socket.destroy();
  }

  /** The head of the next request. Throws when the other side goes before it is complete. */
  async readHead(): Promise<RequestHead> {
    let text = '';
    while (!text.endsWith('\r\n\r\n')) {
      const byte = await this.read(1);
      if (byte === null) throw new Error(`The other side went after ${JSON.stringify(text)}.`);
      text += byte.toString('latin1');
    }
    const [requestLine = '', ...lines] = text.trimEnd().split('\r\n');
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(':');
      const name = line.slice(0, colon).toLowerCase();
      if (headers.has(name)) throw new Error(`The header ${name} came twice.`);
      headers.set(name, line.slice(colon + 1).trim());
    }
    return { requestLine, headers };
  }

  /** The body that the head announces. */
  readBody(head: RequestHead): Promise<Buffer> {
    return this.readExactly(Number(head.headers.get('content-length')));
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Lets the client send the body. */
  goAhead(): void {
    this.write('HTTP/1.1 100 Continue\r\n\r\n');
  }

  /** A whole answer. The connection stays open unless the headers say otherwise. */
  answer(status: number, body = '', headers: Readonly<Record<string, string>> = {}): void {
    const bytes = Buffer.from(body);
    const lines = Object.entries({ 'Content-Length': String(bytes.length), ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    this.write(`HTTP/1.1 ${status} Status\r\n${status === 204 ? '' : head}\r\n`);
    if (bytes.length > 0) this.write(bytes);
  }

  /** Half-closes the connection: the other side may continue to send. */
  halfClose(): void {
    this.socket.end();
  }

  /** Closes; bytes that were not read make the other side see a reset. */
  cut(): void {
    this.socket.destroy();
  }

  /** A TCP reset. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Resolves when there is something to read or nothing more to come. */
  #something(): Promise<void> {
    const names = ['readable', 'end', 'close'] as const;
    return new Promise((resolve) => {
      const onEvent = () => {
        for (const name of names) this.socket.off(name, onEvent);
        resolve();
      };
      for (const name of names) this.socket.on(name, onEvent);
    });
  }
}

/** What to do with a connection; `index` counts connections from 0. */
export type RawScript = (peer: RawPeer, index: number) => Promise<void> | void;

export class RawServer {
  readonly url: URL;
  /** Every connection so far. */
  readonly peers: RawPeer[] = [];
  readonly #server: Server;
  readonly #scripts: Promise<void>[] = [];

  constructor(server: Server, protocol: string, script: RawScript) {
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = new URL(`${protocol}://127.0.0.1:${port}/drop/here?ticket=1`);
    server.on(protocol === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
      const peer = new RawPeer(socket);
      this.peers.push(peer);
      const running = Promise.resolve(script(peer, this.peers.length - 1));
      running.catch(() => {}); // Looked at by `scriptsEnded`.
      this.#scripts.push(running);
    });
  }

  /** Resolves when every script has run to its end; rejects with the first that threw. */
  async scriptsEnded(): Promise<void> {
    await Promise.all(this.#scripts);
  }

  async close(): Promise<void> {
    for (const { socket } of this.peers) socket.destroy();
    if (!this.#server.listening) return;
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Listens on a free port of loopback. */
export async function startRawServer(script: RawScript, tls?: TlsOptions): Promise<RawServer> {
  const server = tls ? createTlsServer(tls) : createServer({ allowHalfOpen: true });
  server.on('tlsClientError', () => {}); // A client that does not trust us is expected to hang up.
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new RawServer(server, tls ? 'https' : 'http', script);
}
