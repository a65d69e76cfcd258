import { createHash } from 'node:crypto';

/**
 * Returns whether an installation is among the share that is offered a version by itself. `id`: a random text of the installation.
 * With each version, others are first.
 */
export function isInStage(id: string, version: string, percentage: number): boolean {
  const place = createHash('sha256').update(`${version}\n${id}`).digest().readUInt32BE(0) / 2 ** 32;
  return place * 100 < percentage;
}
