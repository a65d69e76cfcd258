import { describe, expect, it } from 'vitest';
import { stopSignals } from '../../../service/command-line.ts';
import { breakBeforeRename } from '../../../service/storage/replace-file.ts';

const failure = (code: string) => Object.assign(new Error(code), { code });

describe('the service', () => {
  it('stops on Windows also at Ctrl-Break and when its console is closed; elsewhere SIGHUP is free for its configuration', () => {
    expect(stopSignals('win32')).toEqual(['SIGTERM', 'SIGINT', 'SIGBREAK', 'SIGHUP']);
    for (const platform of ['linux', 'darwin']) expect(stopSignals(platform)).toEqual(['SIGTERM', 'SIGINT']);
  });

  it('repeats on Windows, for 1.6 s, a rename that another program prevents, and none on other systems', () => {
    const breaks = (platform: string, code: string) => {
      const found: number[] = [];
      for (let failures = 1; ; failures += 1) {
        const breakMs = breakBeforeRename(failure(code), failures, platform);
        if (breakMs === null) return found.reduce((sum, each) => sum + each, 0);
        found.push(breakMs);
      }
    };
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) expect(breaks('win32', code)).toBe(1600);
    expect(breaks('win32', 'ENOENT')).toBe(0);
    for (const platform of ['linux', 'darwin']) expect(breaks(platform, 'EPERM')).toBe(0);
  });
});
