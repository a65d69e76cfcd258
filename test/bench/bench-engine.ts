import '../../electron/engine/ports/system/small-heap.ts';
import { join } from 'node:path';
import { createEngine } from '../../electron/engine/create-engine.ts';
import type { Engine } from '../../electron/engine/engine.ts';
import { silentLogger } from '../../electron/engine/ports/logger.ts';
import { createFileKeychain } from '../../electron/engine/ports/system/keychain-file.ts';
import { nodeClock } from '../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../electron/engine/ports/system/node-random.ts';
import { signingInAs } from '../helpers/engine/engine-host.ts';
import type { SignInTarget } from '../helpers/service/service-sign-in.ts';

/** The library of a measurement. */
export type BenchTarget = Pick<SignInTarget, 'baseUrl' | 'clientId' | 'admin'>;

/** Opens the whole engine on a profile that outlives it; it can sign in to the target. */
export function openBenchEngine({ profileDir, target }: { profileDir: string; target: BenchTarget }): Promise<Engine> {
  const opener = signingInAs(target);
  return createEngine({
    profileDir,
    version: '0.0.0-bench',
    platform: process.platform,
    clock: nodeClock,
    random: nodeRandom,
    // With the lowest cost: the time that scrypt takes by design is not part of what is measured.
    keychain: createFileKeychain({
      path: join(profileDir, 'keys'),
      passphrase: 'bench',
      random: nodeRandom,
      costLog2: 10,
    }),
    logger: silentLogger,
    openers: { embedded: opener, system: opener },
    presets: { baseUrl: '', clientId: '' },
  });
}
