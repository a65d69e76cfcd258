// A minimal server that answers every request with the same JSON: the speed of this computer for a server that does nothing.
//   node json-peer.ts BYTES
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const bytes = Number(process.argv[2]);
const body = JSON.stringify({ items: ['x'.repeat(Math.max(0, bytes - 13))] });
const server = createServer((_request, response) => {
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
