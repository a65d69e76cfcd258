import { access, constants, stat, statfs } from 'node:fs/promises';
import type { ProfileFacts } from '../profile-facts.ts';

/** The real disk. */
export const nodeProfileFacts: ProfileFacts = {
  async isOpenToOthers(folder) {
    // Windows reports meaningless mode bits.
    if (process.platform === 'win32') return null;
    return ((await stat(folder)).mode & 0o077) !== 0;
  },

  async isWritable(folder) {
    try {
      await access(folder, constants.W_OK);
      return true;
    } catch {
      // After any error the folder counts as not writable.
      return false;
    }
  },

  async freeBytes(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};
