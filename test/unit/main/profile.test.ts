import { describe, expect, it } from 'vitest';
import { chooseProfileDir } from '../../../electron/main/profile.ts';

const choose = (argv: string[], env: Record<string, string> = {}) =>
  chooseProfileDir({ argv, env, appDataDir: '/home/a/.config', workingDir: '/here' });

describe('the profile folder', () => {
  it('is the default folder when no other is given', () => {
    expect(choose([])).toBe('/home/a/.config/mediadesk');
    expect(choose([], { MEDIADESK_PROFILE: '' })).toBe('/home/a/.config/mediadesk');
  });

  it('is the folder of the command line when the environment also names one', () => {
    expect(choose(['--profile', '/p'], { MEDIADESK_PROFILE: '/q' })).toBe('/p');
    expect(choose(['x', '--profile=/p', 'y'], { MEDIADESK_PROFILE: '/q' })).toBe('/p');
    expect(choose(['x'], { MEDIADESK_PROFILE: '/q' })).toBe('/q');
  });

  it('is relative to the working directory when its path is relative', () => {
    expect(choose(['--profile', 'p'])).toBe('/here/p');
  });
});
