// What the sender must get right with every store, each a named case.
import assert from 'node:assert/strict';
import { isExpired } from '../../electron/engine/uploads/delivery/sender/answers.ts';
import type { AppError } from '../../shared/contract/app-error.ts';
import { type FilesToSend, type Sent, sendTo } from './sending.ts';
import type { Store, StoreKind } from './store.ts';

const MIB = 1024 * 1024;
/** Two buffers of the sender, what the sockets hold, and the garbage of a busy process. */
const MOST_GROWTH_BYTES = 200 * MIB;

interface CaseWorld {
  kind: StoreKind;
  store: Store;
  files: FilesToSend;
}

export interface DestinationCase {
  name: string;
  /** Takes long or much memory: not part of `npm test`. */
  isHeavy: boolean;
  appliesTo(kind: StoreKind): boolean;
  /** Throws where the case does not hold. Answers figures worth showing. */
  run(world: CaseWorld): Promise<string>;
}

const always = () => true;
const checksDescriptors = ({ checksDescriptors: does }: StoreKind) => does;

/** Sends a file that the store has to hold afterwards. */
async function arrives(
  { store, files }: CaseWorld,
  sizeBytes: number,
  fileName = 'lecture.mp4',
  options: Partial<Parameters<typeof sendTo>[2]> = {},
): Promise<string> {
  const to = store.destination({ fileName, sizeBytes });
  const sent = await sendTo(to, files.make(sizeBytes), { fileName, ...options });
  if (sent.error !== null) throw sent.error;
  assert.deepEqual(await to.stored(), { sha256: sent.sha256, sizeBytes });
  return figures(sent, sizeBytes, store);
}

function figures({ seconds, grownBytes, status }: Sent, sizeBytes: number, store: Store): string {
  const speed = (sizeBytes / MIB / seconds).toFixed(0);
  const [grown, resident] = [grownBytes / MIB, store.residentBytes() / MIB].map((each) => each.toFixed(0));
  return `${status} in ${seconds.toFixed(1)} s, ${speed} MiB/s, sender +${grown} MiB, store ${resident} MiB`;
}

/** Sends what the store has to refuse. */
async function isRefused(world: CaseWorld, wish: { allowedBytes?: number; expiresInS?: number }, sizeBytes: number) {
  const to = world.store.destination({ fileName: 'refused.mp4', sizeBytes, ...wish });
  const { error } = await sendTo(to, world.files.make(sizeBytes), { fileName: 'refused.mp4' });
  assert.ok(error !== null, 'the store accepted it');
  assert.equal(await to.stored(), null);
  const { code, details } = error as AppError;
  return { error: error as AppError, code, status: details?.status, answer: String(details?.answer ?? '') };
}

async function holdFor(seconds: number, gate: Parameters<NonNullable<Parameters<typeof sendTo>[2]['atHalf']>>[0]) {
  gate.hold();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  gate.release();
}

export const DESTINATION_CASES: readonly DestinationCase[] = [
  light('stores a file of 3 MB', always, (world) => arrives(world, 3_000_000)),
  light('stores an empty file', always, (world) => arrives(world, 0)),
  ...['quote " and \' .mp4', 'emoji 🎬 ünïcode.mp4', '100 % %20 %22.mp4', 'back\\slash;semi=colon.mp4'].map((name) =>
    light(`stores a file named ${name}`, always, (world) => arrives(world, 1000, name)),
  ),
  light('answers that a descriptor has expired', checksDescriptors, async (world) => {
    const { error, status, answer } = await isRefused(world, { expiresInS: -60 }, 3_000_000);
    assert.ok(isExpired(error), `${error.code}: ${answer}`);
    assert.equal(status, world.kind.expiredStatus);
    return `${status} ${answer}`;
  }),
  light('refuses a file that is too large, and gives a reason', checksDescriptors, async (world) => {
    const { code, status, answer } = await isRefused(world, { allowedBytes: 1_000_000 }, 3_000_000);
    assert.equal(code, 'upload.refused');
    assert.equal(status, world.kind.wrongSizeStatus);
    assert.notEqual(answer, '');
    return `${status} ${answer}`;
  }),
  light(
    'refuses a file that is too small, and gives a reason',
    ({ checksSmallest }) => checksSmallest === true,
    async (world) => {
      const { code, status, answer } = await isRefused(world, { allowedBytes: 4_000_000 }, 3_000_000);
      assert.equal(code, 'upload.refused');
      assert.equal(status, world.kind.wrongSizeStatus);
      return `${status} ${answer}`;
    },
  ),
  light('refuses a form whose field was changed', checksDescriptors, async ({ store, files }) => {
    const to = store.destination({ fileName: 'changed.mp4', sizeBytes: 1000 });
    const changed = (signature: string) => `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
    const fields = to.fields.map(([name, value]) => [name, /signature/.test(name) ? changed(value) : value] as const);
    const { error } = await sendTo({ ...to, fields }, files.make(1000), { fileName: 'changed.mp4' });
    const { code, details } = error as AppError;
    assert.equal(code, 'upload.refused');
    return `${details?.status} ${details?.answer}`;
  }),
  light('loses a file when it is killed in the middle, and stores it when it runs again', always, async (world) => {
    const { store, files } = world;
    const sizeBytes = 8 * MIB;
    const to = store.destination({ fileName: 'killed.mp4', sizeBytes });
    const path = files.make(sizeBytes);
    const cut = await sendTo(to, path, { fileName: 'killed.mp4', limit: 8 * MIB, atHalf: () => store.crash() });
    await store.restart();
    assert.equal((cut.error as AppError | null)?.code, 'upload.connection-lost');
    return arrives(world, sizeBytes);
  }),
  heavy('stores a file of 200 MB', always, (world) => arrives(world, 200_000_000)),
  heavy('stores a file whose transfer was held for 14 s', always, (world) =>
    arrives(world, 8 * MIB, 'held.mp4', { limit: 16 * MIB, atHalf: (gate) => holdFor(14, gate) }),
  ),
  heavy('ends the connection of a transfer that is held for 75 s', checksDescriptors, async (world) => {
    const to = world.store.destination({ fileName: 'idle.mp4', sizeBytes: 8 * MIB });
    const { error, seconds } = await sendTo(to, world.files.make(8 * MIB), {
      fileName: 'idle.mp4',
      limit: 16 * MIB,
      atHalf: (gate) => holdFor(75, gate),
    });
    const { code, details } = error as AppError;
    assert.equal(code, 'upload.connection-lost');
    return `after ${seconds.toFixed(0)} s: ${details?.status ?? details?.reason}`;
  }),
  heavy('stores 5 GiB while the sender needs a bounded amount of memory', always, async (world) => {
    // A store counts the whole form against its limit.
    const sizeBytes = 5 * 1024 ** 3 - (world.kind.mostBytes === null ? 0 : MIB);
    const { store, files } = world;
    const to = store.destination({ fileName: 'large.mp4', sizeBytes });
    const sent = await sendTo(to, files.make(sizeBytes), { fileName: 'large.mp4' });
    if (sent.error !== null) throw sent.error;
    assert.ok(sent.grownBytes < MOST_GROWTH_BYTES, `${sent.grownBytes} bytes of memory`);
    const shown = figures(sent, sizeBytes, store);
    assert.deepEqual(await to.stored(), { sha256: sent.sha256, sizeBytes });
    return shown;
  }),
];

function light(name: string, appliesTo: DestinationCase['appliesTo'], run: DestinationCase['run']): DestinationCase {
  return { name, isHeavy: false, appliesTo, run };
}

function heavy(name: string, appliesTo: DestinationCase['appliesTo'], run: DestinationCase['run']): DestinationCase {
  return { name, isHeavy: true, appliesTo, run };
}
