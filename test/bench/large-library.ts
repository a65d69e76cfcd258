// The real service with a library of the size that its speed is promised for.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServiceProcess, startService } from '../helpers/service/service-process.ts';
import { isQuick } from './peers.ts';

export interface LibrarySize {
  items: number;
  collections: number;
  users: number;
}

const LARGE: LibrarySize = { items: isQuick ? 20_000 : 100_000, collections: isQuick ? 2000 : 10_000, users: 1000 };

export interface LargeLibrary {
  service: ServiceProcess;
  about: string;
  /** The most memory that the service's process has ever held; undefined where the system does not tell. */
  peakBytes(): number | undefined;
  remove(): Promise<void>;
}

/** Creates the library, then restarts the service with it, so that the creation is not part of the measurement. */
export async function openLargeLibrary(size = LARGE): Promise<LargeLibrary> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  const service = await startService({ dataDir, seed: `bulk:${size.items}:${size.collections}` });
  await service.restart();
  return {
    service,
    about: `${size.items} items in ${size.collections} collections, ${size.users} users`,
    peakBytes() {
      if (process.platform !== 'linux') return undefined;
      const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    },
    async remove() {
      await service.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
