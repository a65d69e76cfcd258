// Which tests run on Windows, and which of them can't show anything there.

/** Test files of the other folders, relative to the project; a folder stands for all of its files. */
export const SHARED_FILES: readonly string[] = [
  'test/unit/cli',
  'test/unit/main',
  'test/unit/engine/account',
  'test/unit/engine/api',
  'test/unit/engine/common',
  'test/unit/engine/library',
  'test/unit/engine/manifest',
  'test/unit/engine/ports',
  'test/unit/engine/store',
  'test/unit/engine/uploads/adding',
  'test/unit/engine/uploads/journal',
  'test/unit/engine/uploads/local-files',
  'test/unit/engine/watch',
  'test/integration/engine/ports/save-file.test.ts',
  'test/integration/engine/account/keychain-system.test.ts',
  'test/integration/engine/store/open-queue-store.test.ts',
];

/** Test files that need the library service. They run in a process of their own, beside the others. */
export const SERVICE_FILES: readonly string[] = [
  'test/windows/cases',
  'test/integration/engine/watch/arrivals.test.ts',
  'test/integration/engine/watch/identity.test.ts',
  'test/integration/engine/watch/restarts.test.ts',
  'test/integration/engine/library/downloads.test.ts',
];

/** Left out as a whole, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'test/unit/engine/library/image-header.test.ts': 'needs sharp, which is installed for Linux',
};

const LINKS = 'Wine makes no links and junctions';
const LINUX = 'the test is about a Linux (its paths, modes of files, pipes or trash)';
const CAPITALS =
  'Wine does not change the capitals of a name, and a disk of Windows has no two names that differ in them';
const ACCESS_TIME = 'Wine does not set the time of the last access';

/**
 * Tests that are expected to fail, by the file and a part of the name. `cases/limits.test.ts` shows the same limits of Wine in plain
 * Node.
 */
export const LIMITS: readonly { file: string; name: string; reason: string }[] = [
  { file: 'cli/choices.test.ts', name: 'is the same as that of the desktop app', reason: LINUX },
  { file: 'cli/choices.test.ts', name: 'is chosen by option, then by environment variable', reason: LINUX },
  { file: 'cli/option-defaults.test.ts', name: 'come from the file, whose paths start', reason: LINUX },
  { file: 'presence/opened-with.test.ts', name: 'offer files and folders, in full paths', reason: LINUX },
  { file: 'presence/start-at-login.test.ts', name: 'can’t be written', reason: LINUX },
  { file: 'main/profile.test.ts', name: 'the profile folder', reason: LINUX },
  { file: 'main/file-logger.test.ts', name: 'readable only by this user', reason: LINUX },
  { file: 'updates/replace-file.test.ts', name: 'by a verified, executable copy', reason: LINUX },
  { file: 'main/write-receipt.test.ts', name: 'a name that is too long', reason: LINUX },
  { file: 'account/keychain-file.test.ts', name: 'readable by this user only', reason: LINUX },
  { file: 'library/thumbnail-cache.test.ts', name: 'removes the least recently used files', reason: ACCESS_TIME },
  { file: 'library/downloads.test.ts', name: 'saves the file under its name, and never replaces', reason: LINUX },
  { file: 'library/downloads.test.ts', name: 'writes to no link', reason: LINKS },
  { file: 'library/downloads.test.ts', name: 'writes to no pipe', reason: LINUX },
  { file: 'ports/node-disks.test.ts', name: 'are reported as rotating or not', reason: LINUX },
  { file: 'ports/node-volumes.test.ts', name: 'volumes on Linux', reason: LINUX },
  { file: 'ports/node-file-mover.test.ts', name: 'the trash of a Linux desktop', reason: LINUX },
  { file: 'ports/node-file-mover.test.ts', name: 'refuses to move a link', reason: LINKS },
  { file: 'ports/rooted-files.test.ts', name: 'behind a link', reason: LINKS },
  { file: 'watch/identity.test.ts', name: 'has one row and one upload for each file', reason: CAPITALS },
  { file: 'intake/folder-manifests.test.ts', name: 'where the disk ignores capitals', reason: CAPITALS },
];
