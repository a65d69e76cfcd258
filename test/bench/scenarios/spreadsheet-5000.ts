// A spreadsheet with 5,000 items: exporting it, checking all its rows, and storing the changes as one edit.
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mediaQuerySchema } from '../../../shared/contract/library.ts';
import { createTestProfile, signInEngine } from '../../helpers/engine/engine-host.ts';
import { startService } from '../../helpers/service/service-process.ts';
import { atMost, figure, report } from '../report.ts';

const ITEMS = 5000;
const ROUNDS = 5;

const service = await startService({ seed: `bulk:${ITEMS}:20` });
const profile = createTestProfile(service);
const engine = await profile.open();
const dir = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
try {
  const siteId = await signInEngine(engine, service);
  await engine.call('library.syncNow', { siteId });
  const query = mediaQuerySchema.parse({ siteId, sort: 'title', order: 'asc' });
  const timeZone = 'Europe/Vienna';
  const save = (format: 'csv' | 'xlsx') =>
    engine.call('manifest.export', {
      selection: { siteId, query, except: [] },
      path: join(dir, `all.${format}`),
      format,
      protects: true,
      timeZone,
    });
  const check = async (name: string) => {
    const openedAt = performance.now();
    const opened = await engine.call('manifest.open', { path: join(dir, name), encoding: null, separator: null });
    const checkedAt = performance.now();
    const { manifestId, mapping } = opened;
    const checked = await engine.call('manifest.check', { manifestId, siteId, mapping, timeZone });
    return { checked, openMs: checkedAt - openedAt, checkMs: performance.now() - checkedAt };
  };
  const exportMs = { csv: await timed(() => save('csv')), xlsx: await timed(() => save('xlsx')) };
  const text = await readFile(join(dir, 'all.csv'), 'utf8');
  await writeFile(join(dir, 'changed.csv'), text.replace(/^(m:\d+,)/gm, '$1New '));

  const rounds = { csv: [] as number[], xlsx: [] as number[], changed: [] as number[] };
  let changes = 0;
  let planId = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [key, name] of [
      ['csv', 'all.csv'],
      ['xlsx', 'all.xlsx'],
      ['changed', 'changed.csv'],
    ] as const) {
      const { checked, openMs, checkMs } = await check(name);
      rounds[key].push(openMs + checkMs);
      if (checked.badRows > 0 || (key !== 'changed' && checked.changed > 0)) throw new Error(JSON.stringify(checked));
      changes = checked.changed;
      planId = checked.planId;
    }
  }
  const applyMs = await timed(() => engine.call('edits.apply', { planId, except: [], label: 'Import' }));
  report({
    scenario: 'spreadsheet-5000',
    about: `${ITEMS} items with 12 columns; reading the file and checking all rows, the slowest of ${ROUNDS}`,
    rows: [
      atMost('CSV without changes', Math.max(...rounds.csv) / 1000, 1, 's'),
      atMost('XLSX without changes', Math.max(...rounds.xlsx) / 1000, 1, 's'),
      atMost(`CSV with ${changes} changes`, Math.max(...rounds.changed) / 1000, 1, 's'),
      figure('storing them as one edit', applyMs / 1000, 's', 2),
      figure('export as CSV', exportMs.csv / 1000, 's', 2),
      figure('export as XLSX', exportMs.xlsx / 1000, 's', 2),
    ],
  });
} finally {
  await engine.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
  await service.stop();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
