import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder with the data of one run of the demo. */
export interface DataFolder {
  root: string;
  service: string;
  profile: string;
  samples: string;
  screens: string;
  /** The port of the service in an earlier run on this folder: the profile contains its address. 0: any free port. */
  port: number;
  rememberPort(port: number): Promise<void>;
  /** Removes the folder, unless the user wants to keep it. */
  dispose(): Promise<void>;
}

const PORT_FILE = 'port';
const OURS = ['service', 'profile', 'recordings', 'screenshots', PORT_FILE];

/**
 * Opens a folder that the user chose, which stays, or a temporary one. `isFresh`: throws if the folder contains an earlier run.
 */
export async function openDataFolder(
  keepDir: string | undefined,
  screensDir: string,
  { isFresh }: { isFresh: boolean },
): Promise<DataFolder> {
  // npm starts scripts in the folder of the package, but a relative path refers to the folder of the user.
  const root = keepDir
    ? resolve(process.env.INIT_CWD ?? '', keepDir)
    : await mkdtemp(join(tmpdir(), 'mediadesk-demo-'));
  await mkdir(root, { recursive: true });
  if (keepDir) await requireOurs(root, isFresh);
  return {
    root,
    service: join(root, 'service'),
    profile: join(root, 'profile'),
    samples: join(root, 'recordings'),
    screens: keepDir ? join(root, 'screenshots') : resolve(screensDir),
    port: await readPort(root),
    rememberPort: (port) => writeFile(join(root, PORT_FILE), `${port}\n`),
    async dispose() {
      if (!keepDir) await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function requireOurs(root: string, isFresh: boolean): Promise<void> {
  const names = await readdir(root);
  const strange = names.find((name) => !OURS.includes(name));
  if (strange !== undefined) {
    throw new Error(
      `${root} holds other things (${strange}). Give --keep an empty folder, or that of an earlier demo.`,
    );
  }
  if (isFresh && names.length > 0) {
    throw new Error(`${root} holds an earlier demo. Unattended, the demo needs an empty folder.`);
  }
}

async function readPort(root: string): Promise<number> {
  try {
    return Number(await readFile(join(root, PORT_FILE), 'utf8')) || 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
