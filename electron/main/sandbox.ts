export interface SandboxFacts {
  platform: NodeJS.Platform;
  /** Undefined where users have no numbers. */
  userId: number | undefined;
  /** Whether the program was started with `--no-sandbox`. */
  isSwitchedOff: boolean;
}

/**
 * Returns whether this start is refused because pages would run with a part of Chromium's sandbox only. The starter of an AppImage
 * adds `--no-sandbox` where the system gives users no namespaces, and `app.enableSandbox()` can't bring them back. As root, Chromium
 * runs without the sandbox or not at all: containers and tests.
 */
export function isRefusedWithoutSandbox({ platform, userId, isSwitchedOff }: SandboxFacts): boolean {
  return isSwitchedOff && !(platform === 'linux' && userId === 0);
}
