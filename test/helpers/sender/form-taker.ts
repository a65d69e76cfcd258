import { boundaryOf } from './form-reading.ts';
import { serve } from './form-sending.ts';

/** A server that reads one form and accepts it; `body()` returns the bytes so far. */
export async function takeAll() {
  const chunks: Buffer[] = [];
  const got = { boundary: '', body: () => Buffer.concat(chunks), takenBytes: 0 };
  const server = await serve(async (peer) => {
    const head = await peer.readHead();
    got.boundary = boundaryOf(head.headers.get('content-type'));
    if (head.headers.has('expect')) peer.goAhead();
    const total = Number(head.headers.get('content-length'));
    while (got.takenBytes < total) {
      const chunk = await peer.read(total - got.takenBytes);
      if (chunk === null) return;
      chunks.push(chunk);
      got.takenBytes += chunk.length;
    }
    peer.answer(204);
  });
  return { server, got };
}
