import { describe, expect, it } from 'vitest';
import { KnownListings } from '../../../../../electron/engine/watch/detection/known-listings.ts';
import { Prng } from '../../../../helpers/data/prng.ts';

/** Versions of files by path. */
type Files = Map<string, number>;

const FOLDERS = ['', 'a', 'b', 'a/c', 'ab'];
const folderOf = (path: string) => path.split('/').slice(0, -1).join('/');
const within = (files: Files, folder: string) => [...files].filter(([path]) => folderOf(path) === folder).sort();
const digestOf = (files: Files, folder: string) => JSON.stringify([folder, within(files, folder)]);

/** A folder on a disk, its rows, and sweeps that compare them as `SweepJobs` does. */
class World {
  readonly disk: Files = new Map();
  readonly rows: Files = new Map();
  readonly #listings = new KnownListings();
  compared = 0;
  skippedEnds = 0;

  write(path: string, version: number | null): void {
    if (version === null) this.rows.delete(path);
    else this.rows.set(path, version);
    this.#listings.wrote(path);
  }

  /** `unlisted`: folders that can't be listed; `ends`: false for an interrupted sweep; `between` runs after each folder. */
  sweep(unlisted: readonly string[], ends: boolean, between: () => void): void {
    const known = this.#listings.begin();
    const before = new Set(this.rows.keys());
    const swept = { listed: new Map<string, string>(), unchanged: new Set<string>(), unlisted };
    const seen = new Set<string>();
    const present = FOLDERS.filter((folder) => folder === '' || within(this.disk, folder).length > 0);
    for (const folder of present) {
      if (unlisted.some((hidden) => folder === hidden || folder.startsWith(`${hidden}/`))) continue;
      const digest = digestOf(this.disk, folder);
      if (known.has(digest)) swept.unchanged.add(folder);
      else {
        swept.listed.set(folder, digest);
        for (const [path, version] of within(this.disk, folder)) {
          this.compared += 1;
          seen.add(path);
          if (this.rows.get(path) !== version) this.write(path, version);
        }
      }
      between();
    }
    if (!ends) return;
    if (this.#listings.isAllUnchanged(swept)) {
      this.skippedEnds += 1;
      return;
    }
    for (const path of [...this.rows.keys()]) {
      const isHidden = unlisted.some((hidden) => path.startsWith(`${hidden}/`));
      const isFound = seen.has(path) || swept.unchanged.has(folderOf(path));
      if (before.has(path) && !isFound && !isHidden) this.write(path, null);
    }
    this.#listings.end(swept);
  }
}

describe('folders whose listing is known', () => {
  it('need no comparison in the third and in later sweeps', () => {
    const world = new World();
    for (const path of ['x', 'a/x', 'a/c/x', 'b/x']) world.disk.set(path, 1);
    const compared = [1, 2, 3, 4].map(() => {
      world.compared = 0;
      world.sweep([], true, () => {});
      return world.compared;
    });
    expect(compared).toEqual([4, 4, 0, 0]);
    expect(world.skippedEnds).toBe(2);
  });

  it('leave no difference between rows and disk, whatever is written, deleted, hidden or interrupted', () => {
    let skipped = 0;
    for (let seed = 0; seed < 2000; seed += 1) {
      const prng = new Prng(seed);
      const world = new World();
      const pathOf = () => [prng.pick(FOLDERS), `f${prng.int(1, 3)}`].filter(Boolean).join('/');
      const change = () => {
        const path = pathOf();
        // There are few versions, so that a file can also return to an earlier one.
        if (prng.chance(0.4)) world.disk.delete(path);
        else world.disk.set(path, prng.int(1, 3));
      };
      /** Polls a file, or handles an event about it, between sweeps. */
      const poll = () => {
        const path = pathOf();
        const version = world.disk.get(path) ?? null;
        if (version !== null || world.rows.has(path)) world.write(path, version);
      };
      for (let step = 0; step < 12; step += 1) {
        for (let count = prng.int(0, 2); count > 0; count -= 1) change();
        if (prng.chance(0.3)) poll();
        const unlisted = prng.chance(0.15) ? [prng.pick(['a', 'b', 'a/c'])] : [];
        world.sweep(unlisted, prng.chance(0.8), () => {
          if (prng.chance(0.1)) change();
          if (prng.chance(0.1)) poll();
        });
      }
      // This sweep finds the changes that occurred during the last one.
      world.sweep([], true, () => {});
      expect([...world.rows].sort(), `seed ${seed}`).toEqual([...world.disk].sort());
      skipped += world.skippedEnds;
    }
    expect(skipped).toBeGreaterThan(500);
  });
});
