// The allowed imports between layers. CONTRIBUTING.md contains these rules as text.

export interface Layer {
  /** Folder from the repository's root. A file belongs to the layer with the longest folder that contains it. */
  folder: string;
  /** The folders that it may import from, apart from itself. */
  mayImport: readonly string[];
  /** npm packages that it may import; a package that no layer names is an error until someone decides where it belongs. */
  packages: readonly string[];
  /** Whether Node's own modules exist in the environment of this layer. */
  node: boolean;
}

export const LAYERS: readonly Layer[] = [
  { folder: 'shared/item', mayImport: [], packages: [], node: false },
  { folder: 'shared/api', mayImport: ['shared/item'], packages: ['zod'], node: false },
  { folder: 'shared/formats', mayImport: [], packages: ['chardet'], node: false },
  { folder: 'shared/contract', mayImport: ['shared'], packages: ['zod'], node: false },
  { folder: 'shared/model', mayImport: ['shared'], packages: ['zod', '@internationalized/date'], node: false },
  {
    folder: 'electron/engine',
    mayImport: ['shared'],
    packages: [
      'zod',
      'got',
      'keytar',
      'chokidar',
      '@photostructure/sqlite',
      'fflate',
      'saxen',
      'music-metadata',
      'exifreader',
    ],
    node: true,
  },
  {
    folder: 'electron/main',
    mayImport: ['electron/engine', 'shared'],
    packages: ['electron', 'electron-updater', 'zod', '@jellybrick/dbus-next'],
    node: true,
  },
  { folder: 'electron/preload', mayImport: ['shared/contract'], packages: ['electron'], node: false },
  { folder: 'electron/cli', mayImport: ['electron/engine', 'shared'], packages: ['zod'], node: true },
  {
    folder: 'renderer',
    mayImport: ['shared'],
    packages: [
      'react',
      'react-dom',
      'react-aria-components',
      '@internationalized/date',
      '@tanstack/react-virtual',
      'zustand',
      'lucide-react',
      'mediabunny',
      'prosemirror-commands',
      'prosemirror-history',
      'prosemirror-keymap',
      'prosemirror-model',
      'prosemirror-schema-list',
      'prosemirror-state',
      'prosemirror-view',
      'zod',
    ],
    node: false,
  },
  {
    folder: 'service',
    mayImport: ['shared/api', 'shared/formats', 'shared/item'],
    packages: [
      'fastify',
      '@fastify/busboy',
      '@fastify/cors',
      'zod-openapi',
      '@fastify/formbody',
      '@photostructure/sqlite',
      'openid-client',
      'nodemailer',
      'pg',
      'sharp',
      'zod',
    ],
    node: true,
  },
  {
    folder: 'build',
    // The format of the feeds that a release signs.
    mayImport: ['shared/model/updates'],
    packages: ['@electron/fuses', '@electron/asar', 'electron-builder', 'playwright', 'sharp', 'recheck', 'vite'],
    node: true,
  },
];

/** Tests may import anything, and nothing may import them. */
export const TEST_FOLDER = 'test';

export interface SoleImporter {
  /** The module, and everything below it. */
  module: string;
  /** Files, or folders with a slash at the end, that alone may import it. */
  only: readonly string[];
}

export const SOLE_IMPORTERS: readonly SoleImporter[] = [
  { module: 'electron', only: ['electron/main/', 'electron/preload/'] },
  { module: 'electron-updater', only: ['electron/main/updates/electron-installer.ts'] },
  { module: 'got', only: ['electron/engine/api/'] },
  { module: 'fflate', only: ['electron/engine/manifest/table/'] },
  { module: 'music-metadata', only: ['electron/engine/media-tags/read-cut.ts'] },
  { module: 'exifreader', only: ['electron/engine/media-tags/read-cut.ts'] },
  { module: 'chardet', only: ['shared/formats/text/guess-encoding.ts'] },
  { module: 'mediabunny', only: ['renderer/kit/waveform/'] },
  { module: 'saxen', only: ['electron/engine/common/read-xml.ts'] },
  {
    module: 'keytar',
    only: ['electron/engine/ports/system/keychain-system.ts', 'electron/engine/ports/system/keytar-main.ts'],
  },
  { module: 'pg', only: ['service/database/postgres/', 'test/helpers/service/postgres.ts'] },
  { module: 'nodemailer', only: ['service/mail/mailer.ts'] },
  { module: 'openid-client', only: ['service/oidc/'] },
  { module: 'chokidar', only: ['electron/engine/ports/system/chokidar-events.ts'] },
  { module: 'sharp', only: ['service/processing/tools/picture-worker.ts', 'build/icon-drawing.ts'] },
  {
    module: 'node:sqlite',
    only: [
      'electron/engine/store/database.ts',
      'service/database/database.ts',
      'service/database/copy-database.ts',
      'service/database/snapshot.ts',
      'service/database/postgres/words.ts',
      'service/database/move/tables.ts',
      'build/demo/rename-table.ts',
    ],
  },
  {
    module: '@photostructure/sqlite',
    only: ['electron/engine/store/database.ts', 'service/database/database.ts', 'build/demo/rename-table.ts'],
  },
];

export interface SoleUser {
  /** A name imported from the module. */
  name: string;
  module: string;
  only: readonly string[];
}

/** Only one wrapper on each side may use Electron's own IPC. */
export const SOLE_USERS: readonly SoleUser[] = [
  { name: 'ipcMain', module: 'electron', only: ['electron/main/ipc.ts'] },
  { name: 'ipcRenderer', module: 'electron', only: ['electron/preload/preload.ts'] },
];

/** Tests simulate the world outside the engine, so the engine accesses it only through ports. */
export const PORTED_FOLDER = 'electron/engine';

/** Files at the root that code may read. */
export const ROOT_FILES: ReadonlySet<string> = new Set(['package.json']);

/** Names in those modules that have no access to the outside world. */
export const HARMLESS_NAMES: ReadonlySet<string> = new Set(['isIP', 'isIPv4', 'isIPv6', 'setImmediate']);

/** Modules with access to the outside world. Their types may be imported anywhere. */
export const OUTSIDE_MODULES: ReadonlySet<string> = new Set([
  'node:child_process',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:fs',
  'node:fs/promises',
  'node:http',
  'node:http2',
  'node:https',
  'node:net',
  'node:timers',
  'node:timers/promises',
  'node:tls',
  'node:worker_threads',
]);

/** The unpredictable functions of node:crypto; hashing and comparing are plain functions. */
export const RANDOM_NAMES: ReadonlySet<string> = new Set([
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'webcrypto',
  'generateKeyPairSync',
]);

export interface Exception {
  file: string;
  /** A module, or a global as source-facts.ts names it. */
  uses: readonly string[];
  reason: string;
}

/**
 * The files of the engine with access to the outside world: the adapters behind the ports, and three effects that are ports
 * themselves.
 */
export const ADAPTERS: readonly Exception[] = [
  {
    file: 'electron/engine/ports/system/node-clock.ts',
    uses: ['Date.now', 'performance.now', 'setTimeout'],
    reason: 'the clock',
  },
  {
    file: 'electron/engine/ports/system/node-save-file.ts',
    uses: ['node:fs/promises'],
    reason: 'spreadsheets that the user saves',
  },
  {
    file: 'electron/engine/ports/system/node-line-files.ts',
    uses: ['node:fs/promises'],
    reason: 'the log of administrative changes',
  },
  {
    file: 'electron/engine/ports/system/node-hash-threads.ts',
    uses: ['node:worker_threads'],
    reason: 'the threads that compute hashes',
  },
  {
    file: 'electron/engine/media-tags/tag-thread.ts',
    uses: ['node:worker_threads'],
    reason: 'the thread that parses tags inside files',
  },
  {
    file: 'electron/engine/media-tags/thread-main.ts',
    uses: ['node:worker_threads'],
    reason: 'the program of that thread',
  },
  {
    file: 'electron/engine/ports/system/node-folder-walker.ts',
    uses: ['node:fs/promises', 'node:worker_threads'],
    reason: 'lists watched folders in a thread',
  },
  {
    file: 'electron/engine/ports/system/below-root.ts',
    uses: ['node:fs', 'node:fs/promises'],
    reason: 'the file system below a chosen folder',
  },
  {
    file: 'electron/engine/ports/system/node-volumes.ts',
    uses: ['node:fs'],
    reason: 'what the kernel knows about mounted volumes',
  },
  { file: 'electron/engine/ports/system/node-random.ts', uses: ['node:crypto'], reason: 'the random source' },
  {
    file: 'electron/engine/ports/system/node-disks.ts',
    uses: ['node:fs'],
    reason: 'what the kernel knows about disks',
  },
  {
    file: 'electron/engine/ports/system/node-mounts.ts',
    uses: ['node:fs'],
    reason: 'what the kernel knows about mounts',
  },
  {
    file: 'electron/engine/ports/system/held-file.ts',
    uses: ['node:fs/promises'],
    reason: 'whether another program has a file open',
  },
  {
    file: 'electron/engine/ports/system/named-time-zone.ts',
    uses: ['node:fs'],
    reason: 'the file that contains the time zone of the system',
  },
  {
    file: 'electron/engine/ports/system/node-files.ts',
    uses: ['node:fs', 'node:fs/promises'],
    reason: 'the file system',
  },
  {
    file: 'electron/engine/ports/system/node-open-files.ts',
    uses: ['node:fs/promises'],
    reason: 'what the kernel knows about open files',
  },
  {
    file: 'electron/engine/ports/system/node-part-files.ts',
    uses: ['node:fs/promises'],
    reason: 'writes the incomplete files of downloads',
  },
  {
    file: 'electron/engine/ports/system/node-file-mover.ts',
    uses: ['node:fs/promises'],
    reason: 'the only module that moves the user’s files',
  },
  {
    file: 'electron/engine/ports/system/trash-freedesktop.ts',
    uses: ['node:fs/promises', 'new Date()'],
    reason: 'the trash of a desktop is folders',
  },
  {
    file: 'electron/engine/ports/system/node-profile-facts.ts',
    uses: ['node:fs/promises'],
    reason: 'rights and room of the profile folder',
  },
  {
    file: 'electron/engine/ports/system/node-cache-folder.ts',
    uses: ['node:fs/promises'],
    reason: 'files that can be fetched again, in a folder of their own',
  },
  {
    file: 'electron/engine/ports/system/node-outbox.ts',
    uses: ['node:fs/promises'],
    reason: 'files of this program that wait to be uploaded',
  },
  {
    file: 'electron/engine/ports/system/keychain-file.ts',
    uses: ['node:fs/promises'],
    reason: 'the passphrase-protected keychain is a file',
  },
  {
    file: 'electron/engine/ports/system/rename-file.ts',
    uses: ['node:fs', 'node:fs/promises'],
    reason: 'the renames of all ports, with retries on Windows',
  },
  {
    file: 'electron/engine/ports/system/sync-folder.ts',
    uses: ['node:fs/promises'],
    reason: 'makes the renames of the ports durable',
  },
  {
    file: 'electron/engine/store/wal-sync.ts',
    uses: ['node:fs/promises'],
    reason: 'brings the log of the database to the disk, beside the driver',
  },
  {
    file: 'electron/engine/store/read-elsewhere.ts',
    uses: ['node:worker_threads'],
    reason: 'long questions to the database go in a thread of their own',
  },
  {
    file: 'electron/engine/ports/system/browser-system.ts',
    uses: ['node:child_process'],
    reason: 'starts the system browser',
  },
  {
    file: 'electron/engine/ports/system/keytar-process.ts',
    uses: ['node:child_process'],
    reason: 'starts the process that calls the keychain of Linux',
  },
  {
    file: 'electron/engine/ports/system/disk-space.ts',
    uses: ['node:crypto', 'node:fs'],
    reason: 'writes a file to find out whether a disk is full, before the engine exists',
  },
  {
    file: 'electron/engine/store/copy-queue-store.ts',
    uses: ['node:fs'],
    reason: 'makes and removes the private folder of a copy of the queue',
  },
  {
    file: 'electron/engine/account/loopback-redirect.ts',
    uses: ['node:http'],
    reason: 'receives the redirect of a sign-in',
  },
  {
    file: 'electron/engine/network/routed-agents.ts',
    uses: ['node:http', 'node:https', 'node:tls'],
    reason: 'the connections of all requests',
  },
  {
    file: 'electron/engine/network/tunnel.ts',
    uses: ['node:http', 'node:https', 'node:net', 'node:tls'],
    reason: 'the connections to proxies',
  },
  {
    file: 'electron/engine/network/trust.ts',
    uses: ['node:tls'],
    reason: 'makes a context of the trusted certificates, and opens no connection',
  },
  {
    file: 'electron/engine/ports/system/system-certificates.ts',
    uses: ['node:fs', 'node:tls'],
    reason: 'the certificate authorities that the computer trusts',
  },
  {
    file: 'electron/engine/api/network-zones.ts',
    uses: ['node:net'],
    reason: 'reads network addresses, and opens no connection',
  },
  {
    file: 'electron/engine/uploads/delivery/sender/redirects.ts',
    uses: ['node:dns'],
    reason: 'resolves the host that a destination redirects to, without private addresses',
  },
  {
    file: 'electron/engine/uploads/delivery/sender/send-form.ts',
    uses: ['node:http', 'node:https'],
    reason: 'the form-data sender writes requests by hand',
  },
  {
    file: 'electron/engine/mirror/mirror-file.ts',
    uses: ['node:fs'],
    reason: 'makes and removes the files of mirrors, which SQLite has open',
  },
  {
    file: 'electron/engine/store/open-queue-store.ts',
    uses: ['node:fs'],
    reason: 'finds out whether a profile has a queue, and repairs its lock',
  },
  {
    file: 'electron/engine/store/prepare-profile.ts',
    uses: ['node:fs'],
    reason: 'makes the profile folder, and checks its files before SQLite opens them',
  },
  {
    file: 'electron/engine/store/private-files.ts',
    uses: ['node:fs'],
    reason: 'the modes of the queue and its copies must be right before SQLite opens them',
  },
  {
    file: 'electron/engine/store/row-mark.ts',
    uses: ['node:fs'],
    reason: 'a mark outside of the database shows that the database has lost rows',
  },
  {
    file: 'electron/engine/store/set-aside.ts',
    uses: ['node:crypto', 'node:fs'],
    reason: 'moves a damaged database aside under a name that is free',
  },
];
