import { randomBytes, randomUUID } from 'node:crypto';
import type { Random } from '../random.ts';

/** The operating system's random source. */
export const nodeRandom: Random = {
  bytes: (length) => randomBytes(length),
  uuid: () => randomUUID(),
};
