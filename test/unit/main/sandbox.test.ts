import { expect, it } from 'vitest';
import { isRefusedWithoutSandbox } from '../../../electron/main/sandbox.ts';

it.each([
  ['an ordinary user of Linux', 'linux', 1000, true, true],
  ['root, as in a container', 'linux', 0, true, false],
  ['a user of Windows', 'win32', undefined, true, true],
  ['a user of a Mac', 'darwin', 501, true, true],
  ['a start with the sandbox', 'linux', 1000, false, false],
] as const)('a start without the sandbox by %s', (_who, platform, userId, isSwitchedOff, isRefused) => {
  expect(isRefusedWithoutSandbox({ platform, userId, isSwitchedOff })).toBe(isRefused);
});
