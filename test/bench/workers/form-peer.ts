// A minimal receiver of uploaded forms, with node:http and a widely used form parser: drops the bytes of each file, or writes
// them to a file of its own and waits for the disk.
//   node form-peer.ts drop|write FOLDER
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';

const [kind = 'drop', folder = '.'] = process.argv.slice(2);
const CHUNK_BYTES = 1024 * 1024;

const server = createServer({ requestTimeout: 0, highWaterMark: CHUNK_BYTES }, (request, response) => {
  const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
  const parser = new Busboy({ headers, highWaterMark: CHUNK_BYTES, fileHwm: CHUNK_BYTES });
  let taken: Promise<void> = Promise.resolve();
  parser.on('file', (_name, stream) => {
    taken = kind === 'write' ? write(stream) : drop(stream);
  });
  parser.on('finish', () => {
    taken.then(
      () => response.writeHead(204).end(),
      () => response.destroy(),
    );
  });
  request.pipe(parser);
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));

async function drop(stream: Readable): Promise<void> {
  stream.resume();
}

function write(stream: Readable): Promise<void> {
  const path = join(folder, randomBytes(8).toString('hex'));
  return pipeline(stream, createWriteStream(path, { flush: true, highWaterMark: CHUNK_BYTES }));
}
