// The files that test the pairing rule (`mixed-folder.ts`), written to a disk, and the result of adding each of them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nodeFiles } from '../../../../../electron/engine/ports/system/node-files.ts';
import { findRecordings } from '../../../../../electron/engine/uploads/adding/find-recordings.ts';
import { MIXED_FOLDER } from '../../../model/pairing/mixed-folder.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-mixed-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const CONTENTS: Record<string, string> = { json: '{"title":"T"}', xml: '<a><title>T</title></a>' };

it('adding a mixed folder of more than 300 files pairs them without a mistake, and flags the doubtful files', async () => {
  for (const { name } of MIXED_FOLDER) writeFileSync(join(dir, name), CONTENTS[name.split('.').at(-1) ?? ''] ?? 'text');
  const verdicts = new Map<string, string>();
  for await (const finding of findRecordings(nodeFiles, [dir], { sidecars: true })) {
    const name = basename(finding.path);
    if ('error' in finding) verdicts.set(name, finding.error.code === 'file.pair-unclear' ? 'flag' : 'own');
    else {
      verdicts.set(name, 'own');
      for (const { path } of finding.companions) verdicts.set(basename(path), name);
    }
  }
  const different = MIXED_FOLDER.map(({ name, belongsTo }) => [name, belongsTo, verdicts.get(name)]).filter(
    ([, belongsTo, got]) => belongsTo !== got,
  );
  expect(different).toEqual([]);
});
