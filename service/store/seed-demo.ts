import type { Disk } from '../storage/disk.ts';
import type { Store } from './database.ts';
export const seedDemo = {
  async makeFiles(_disk: Disk): Promise<string[]> {
    return [];
  },
  fill(_store: Store, _files: string[], _nowOn: number): void {},
};
