import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where one run of the demo keeps its things. */
export interface DataFolder {
  root: string;
  service: string;
  profile: string;
  samples: string;
  screens: string;
  /** Removes it all, unless it was to be kept. */
  dispose(): Promise<void>;
}

/** A folder named by the person, which stays (and may hold an earlier run), or a temporary one. */
export async function openDataFolder(keepDir: string | undefined, screensDir: string): Promise<DataFolder> {
  const root = keepDir ? resolve(keepDir) : await mkdtemp(join(tmpdir(), 'mediadesk-demo-'));
  await mkdir(root, { recursive: true });
  if (keepDir) await requireOurs(root);
  return {
    root,
    service: join(root, 'service'),
    profile: join(root, 'profile'),
    samples: join(root, 'recordings'),
    screens: keepDir ? join(root, 'screenshots') : resolve(screensDir),
    async dispose() {
      if (!keepDir) await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const OURS = ['service', 'profile', 'recordings', 'screenshots'];

async function requireOurs(root: string): Promise<void> {
  const strange = (await readdir(root)).find((name) => !OURS.includes(name));
  if (strange !== undefined) {
    throw new Error(
      `${root} holds other things (${strange}). Give --keep an empty folder, or that of an earlier demo.`,
    );
  }
}
