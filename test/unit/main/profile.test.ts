import { describe, expect, it } from 'vitest';
import { chooseProfileDir } from '../../../electron/main/profile.ts';

const choose = (argv: string[], env: Record<string, string> = {}) =>
  chooseProfileDir({ argv, env, appDataDir: '/home/a/.config', workingDir: '/here' });

describe('the profile folder', () => {
  it('is the application’s own unless another is asked for', () => {
    expect(choose([])).toBe('/home/a/.config/mediadesk');
    expect(choose([], { MEDIADESK_PROFILE: '' })).toBe('/home/a/.config/mediadesk');
  });

  it('is taken from the command line before the environment', () => {
    expect(choose(['--profile', '/p'], { MEDIADESK_PROFILE: '/q' })).toBe('/p');
    expect(choose(['x', '--profile=/p', 'y'], { MEDIADESK_PROFILE: '/q' })).toBe('/p');
    expect(choose(['x'], { MEDIADESK_PROFILE: '/q' })).toBe('/q');
  });

  it('counts from the working folder when it is relative', () => {
    expect(choose(['--profile', 'p'])).toBe('/here/p');
  });
});
