// Which tests run on Windows, and which of them can't show anything there.

/** Test files of the other folders, relative to the project; a folder stands for all of its files. */
export const SHARED_FILES: readonly string[] = [
  'test/unit/engine',
  'test/unit/cli',
  'test/unit/main',
  'test/integration/engine/ports/save-file.test.ts',
  'test/integration/engine/account/keychain-system.test.ts',
  'test/integration/engine/store/open-queue-store.test.ts',
];

/** Left out as a whole, with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'test/unit/engine/library/image-header.test.ts': 'needs the pictures of sharp, which is installed for Linux',
  'test/unit/engine/failpoints.test.ts': 'reads the sources of the project, whatever the system is',
};

/** Parts of the names of tests that are expected to fail, with the reason. */
export const LIMITS: readonly { name: string; reason: string }[] = [];
