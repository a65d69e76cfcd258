// A slow connection between the app and the service, so that transfers last long enough for a picture.
import { connect, createServer, type Socket } from 'node:net';

export interface SlowRelay {
  baseUrl: string;
  /** Limits the bytes per second to the service over all connections; null removes the limit. */
  setSpeed(bytesPerSecond: number | null): void;
  stop(): Promise<void>;
}

const STEP_MS = 50;
/** Small, because the app counts bytes in the relay's buffer as sent. */
const BUFFER_BYTES = 16 * 1024;

/** Listens on loopback and forwards all data to the service at `targetUrl`. */
export async function startSlowRelay(targetUrl: string): Promise<SlowRelay> {
  const { hostname, port } = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let speed: number | null = null;
  let allowance = 0;
  const timer = setInterval(() => {
    if (speed === null) return;
    allowance = (speed * STEP_MS) / 1000;
    for (const socket of held) socket.resume();
    held.clear();
  }, STEP_MS);

  // The addresses of the service contain its own host. Both ports have five digits, so the length does not change.
  let ownHost = '';
  const renamed = (chunk: Buffer) =>
    chunk.includes(`${hostname}:${port}/`)
      ? Buffer.from(chunk.toString('latin1').replaceAll(`${hostname}:${port}/`, ownHost), 'latin1')
      : chunk;
  const server = createServer({ highWaterMark: BUFFER_BYTES }, (near) => {
    const far = connect({ host: hostname, port: Number(port) });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    far.on('data', (chunk: Buffer) => near.write(renamed(chunk)));
    far.once('end', () => near.end());
    near.on('data', (chunk: Buffer) => {
      const isTaken = far.write(chunk);
      allowance -= chunk.length;
      if (speed !== null && allowance <= 0) {
        near.pause();
        held.add(near);
      } else if (!isTaken) {
        near.pause();
        far.once('drain', () => near.resume());
      }
    });
    near.once('end', () => far.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.');
  ownHost = `127.0.0.1:${address.port}/`;
  if (ownHost.length !== `${hostname}:${port}/`.length) throw new Error('The relay got a port of another length.');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    setSpeed(bytesPerSecond) {
      speed = bytesPerSecond;
      allowance = 0;
      for (const socket of held) socket.resume();
      held.clear();
    },
    async stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
