// A sink over TLS: prints its port, takes POSTs and drops their bodies.
//   node tls-sink.ts KEY_FILE CERTIFICATE_FILE
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [key = '', cert = ''] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));
const server = createServer({ key, cert, requestTimeout: 0 }, (request, response) => {
  request.resume();
  request.once('end', () => response.writeHead(200, { 'Content-Length': 0 }).end());
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
