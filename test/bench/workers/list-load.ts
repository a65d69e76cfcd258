// Requests lists over kept-alive connections as fast as they are answered, for some seconds. Reads only the status and the
// length of an answer, so that the requests need little time compared with the answers.
//   node list-load.ts < {"origin", "seconds", "connections", "requests": [{"path", "token"}]}
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** The task of this worker. */
export interface LoadOrder {
  origin: string;
  seconds: number;
  connections: number;
  requests: { path: string; token: string }[];
}

/** The result of the task. */
export interface Load {
  perSecond: number;
  p95Ms: number;
}

const order = JSON.parse(await text(process.stdin)) as LoadOrder;
const { hostname, port } = new URL(order.origin);
const messages = order.requests.map(({ path, token }) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`),
);
const latencies: number[] = [];
const startedAt = performance.now();
const endsAt = startedAt + order.seconds * 1000;
let next = 0;

await Promise.all(Array.from({ length: order.connections }, ask));
const seconds = (performance.now() - startedAt) / 1000;
latencies.sort((a, b) => a - b);
const load: Load = {
  perSecond: latencies.length / seconds,
  p95Ms: latencies[Math.floor(latencies.length * 0.95)] ?? Number.NaN,
};
console.log(JSON.stringify(load));

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    let head = '';
    let missing: number | undefined;

    function send(): void {
      if (performance.now() >= endsAt) {
        socket.destroy();
        resolve();
        return;
      }
      head = '';
      missing = undefined;
      sentAt = performance.now();
      socket.write(messages[next % messages.length] as Buffer);
      next += 1;
    }

    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed the connection.')));
    socket.on('data', (chunk: Buffer) => {
      if (missing === undefined) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1];
        if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
          reject(new Error(`Not an answer to count: ${head.slice(0, 300)}`));
          return;
        }
        missing = Number(length) - (head.length - end - 4);
      } else {
        missing -= chunk.length;
      }
      if (missing > 0) return;
      latencies.push(performance.now() - sentAt);
      send();
    });
  });
}
