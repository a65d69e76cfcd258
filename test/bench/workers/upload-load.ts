// Sends several forms at once, each with a file of zeros, over connections of its own; reports how long all of them took.
// The bytes come from memory and go straight to the socket, so that sending needs little time compared with receiving.
//   node upload-load.ts < {"sizeBytes", "uploads": [{"url", "fileParam", "fields"}]}
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** The task of this worker. */
export interface UploadOrder {
  sizeBytes: number;
  uploads: { url: string; fileParam: string; fields: Record<string, string> }[];
}

const CHUNK = Buffer.alloc(1024 * 1024);
const BOUNDARY = 'mediadesk-bench-boundary';

const order = JSON.parse(await text(process.stdin)) as UploadOrder;
const startedAt = performance.now();
await Promise.all(order.uploads.map(send));
console.log(JSON.stringify({ seconds: (performance.now() - startedAt) / 1000 }));

function send({ url, fileParam, fields }: UploadOrder['uploads'][number]): Promise<void> {
  const { hostname, port, host, pathname } = new URL(url);
  const head = [
    ...Object.entries(fields).map(
      ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${fileParam}"; filename="recording.bin"\r\n`,
    'content-type: application/octet-stream\r\n\r\n',
  ].join('');
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const length = head.length + order.sizeBytes + tail.length;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    let left = order.sizeBytes;

    function more(): void {
      while (left > 0) {
        const part = left >= CHUNK.length ? CHUNK : CHUNK.subarray(0, left);
        left -= part.length;
        if (!socket.write(part) && left > 0) return void socket.once('drain', more);
      }
      socket.write(tail);
    }

    socket.on('connect', () => {
      socket.write(`POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: ${length}\r\n`);
      socket.write(`content-type: multipart/form-data; boundary=${BOUNDARY}\r\n\r\n${head}`);
      more();
    });
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (/^HTTP\/1\.1 20[04] /.test(answer)) resolve();
      else reject(new Error(`The upload was answered by ${JSON.stringify(answer.slice(0, 300))}`));
    });
  });
}
