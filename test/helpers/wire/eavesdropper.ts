// A relay in front of the library service that records what passes through it: access tokens, and what is written.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Eavesdropper {
  /** The address to use instead of the service's own. */
  baseUrl: string;
  /** Access tokens that were sent to the service so far. */
  tokens(): string[];
  /** Requests other than GET so far, in their order, with their bodies as texts. */
  writes(): { method: string; path: string; body: string }[];
  stop(): Promise<void>;
}

export async function eavesdrop(targetUrl: string): Promise<Eavesdropper> {
  const target = new URL(targetUrl);
  const tokens = new Set<string>();
  const writes: { method: string; path: string; body: string }[] = [];
  const server = createServer((incoming, outgoing) => {
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1];
    if (token) tokens.add(token);
    const { method = 'GET', url: path = '/', headers } = incoming;
    if (method !== 'GET') {
      const write = { method, path, body: '' };
      writes.push(write);
      incoming.on('data', (chunk: Buffer) => {
        write.body += chunk.toString('latin1');
      });
    }
    const relayed = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    relayed.once('error', () => outgoing.destroy());
    incoming.pipe(relayed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens: () => [...tokens],
    writes: () => writes.map((write) => ({ ...write })),
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
