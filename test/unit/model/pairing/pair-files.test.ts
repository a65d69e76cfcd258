import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Pairing, pairFiles } from '../../../../shared/model/pairing/pair-files.ts';
import { steepGrowth } from '../../../helpers/time/growth.ts';
import { MIXED_FOLDER } from './mixed-folder.ts';

/** Returns the result of the pairing for a file, in the form of `MixedFile.belongsTo`. */
function verdict({ companionsOf, recordingOf, doubtful }: Pairing, name: string): string {
  const owners = [...companionsOf].filter(([, companions]) => companions.some(({ fileName }) => fileName === name));
  expect(owners.map(([recording]) => recording)).toEqual([recordingOf.get(name) ?? []].flat());
  if (doubtful.has(name)) return 'flag';
  return recordingOf.get(name) ?? 'own';
}

describe('pairing of files', () => {
  it('pairs a mixed folder of more than 300 files without a mistake, and flags the doubtful files', () => {
    const names = MIXED_FOLDER.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(300);
    const pairing = pairFiles(names);
    const differences = MIXED_FOLDER.map(({ name, belongsTo }) => ({
      name,
      belongsTo,
      got: verdict(pairing, name),
    })).filter(({ belongsTo, got }) => belongsTo !== got);
    expect(differences).toEqual([]);
  });

  it('does not depend on the order of the files', () => {
    const names = MIXED_FOLDER.map(({ name }) => name);
    expect(pairFiles(names.toReversed())).toEqual(pairFiles(names));
  });

  it('lists the candidates of a doubtful file, the most probable first', () => {
    const { doubtful } = pairFiles(['a b.wav', 'a b.mp4', 'a b.srt', 'A_b.en.vtt', 'a b extended.srt', 'a b.png']);
    expect([...doubtful.values()]).toEqual([
      { kind: 'captions', fileName: 'A_b.en.vtt', doubt: 'spelling', candidates: ['a b.mp4', 'a b.wav'] },
      { kind: 'captions', fileName: 'a b extended.srt', doubt: 'part', candidates: ['a b.mp4', 'a b.wav'] },
      { kind: 'thumbnail', fileName: 'a b.png', doubt: 'several', candidates: ['a b.mp4', 'a b.wav'] },
      { kind: 'captions', fileName: 'a b.srt', doubt: 'several', candidates: ['a b.mp4', 'a b.wav'] },
    ]);
  });

  it('assigns each file once, and pairs only with existing recordings', () => {
    const stem = fc.constantFrom('a', 'A', 'a b', 'a_b', 'a.en', 'a.cut', 'ü', 'u\u0308', 'a thumb', 'talk', 'talk 2');
    const ending = fc.constantFrom('mp4', 'wav', 'srt', 'en.vtt', 'sdh.de.srt', 'jpg', 'png', 'json', 'txt', 'pdf');
    const name = fc.tuple(stem, ending).map(([one, other]) => `${one}.${other}`);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 30 }), (names) => {
        const { companionsOf, doubtful } = pairFiles(names);
        const paired = [...companionsOf.values()].flat().map(({ fileName }) => fileName);
        const placed = [...paired, ...doubtful.keys()];
        expect(new Set(placed).size).toBe(placed.length);
        expect(placed.every((each) => names.includes(each) && !/\.(mp4|wav|pdf)$/.test(each))).toBe(true);
        for (const [recording, companions] of companionsOf) {
          expect(names).toContain(recording);
          expect(companions.filter(({ kind }) => kind === 'thumbnail').length).toBeLessThanOrEqual(1);
        }
        for (const { candidates } of doubtful.values()) {
          expect(candidates.length).toBeGreaterThan(0);
          expect(candidates.every((each) => names.includes(each) && /\.(mp4|wav)$/.test(each))).toBe(true);
        }
      }),
    );
  });

  it('takes linear time for many files with hostile names', () => {
    const nameOf = (index: number) => `${'a.'.repeat(80)}${index}.${index % 2 === 0 ? 'mp4' : 'srt'}`;
    const namesOf = (chars: number) => Array.from({ length: chars / 8 }, (_, index) => nameOf(index)).join('/');
    expect(steepGrowth((names) => pairFiles(names.split('/')), namesOf)).toBeNull();
  });
});
