// Waveforms on the disk: they are stored for an account and removed at its sign-out.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { THUMBNAIL_LIMITS } from '../../../../electron/engine/library/thumbnails/fetch-thumbnail.ts';
import { createThumbnailCache } from '../../../../electron/engine/library/thumbnails/thumbnail-cache.ts';
import { createThumbnails } from '../../../../electron/engine/library/thumbnails/thumbnails.ts';
import { waveformHandlers } from '../../../../electron/engine/library/waveforms/waveforms.ts';
import { createCacheFolder } from '../../../../electron/engine/ports/system/node-cache-folder.ts';
import { CALLS } from '../../../../shared/contract/contract.ts';
import { encodeWaveform } from '../../../../shared/model/waveform/waveform-file.ts';
import { clearJournal, journalOf } from '../../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';
import { accountsInTest } from '../account/accounts-in-test.ts';
import { person } from '../account/person.ts';

const bytes = encodeWaveform({
  fileId: '7',
  itemVersion: '2026',
  result: {
    kind: 'peaks',
    pieceSeconds: 1,
    readSeconds: 2,
    totalSeconds: 2,
    end: 'complete',
    lowest: Int16Array.of(-1, -2),
    highest: Int16Array.of(1, 2),
    clipped: Uint8Array.of(0, 1),
  },
});

let service: ServiceProcess;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function open() {
  const { accounts, logger } = accountsInTest(person(service.admin));
  const { baseUrl, clientId } = service;
  const { id: siteId } = await accounts.signIn({ baseUrl, clientId, browser: 'embedded' });
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-waveforms-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = new ManualClock();
  const cache = createThumbnailCache({ folder: createCacheFolder(folder), limitBytes: 1e6, clock });
  const thumbnails = createThumbnails({ accounts, cache, clock, logger, limits: THUMBNAIL_LIMITS, userAgent: 'test' });
  onTestFinished(() => thumbnails.stop());
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { accounts, siteId, files, clock, calls: waveformHandlers({ cache, mayUse: thumbnails.mayUse, logger }) };
}

describe('the waveform of an item', () => {
  it('is returned as it was stored, without a request to the library, however old it is', async () => {
    const { siteId, calls, clock, files } = await open();
    const ref = { siteId, mediaId: 'a/../b' };
    expect(await calls['waveforms.read'](ref)).toBeNull();
    await calls['waveforms.store']({ ...ref, bytes });
    clock.advance(400 * 24 * 3600 * 1000);
    await clearJournal(service);
    expect(await calls['waveforms.read'](ref)).toEqual({ bytes });
    expect(await calls['waveforms.read']({ ...ref, mediaId: 'other' })).toBeNull();
    expect(await journalOf(service)).toEqual([]);
    const [file = ''] = files();
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is removed at the sign-out, and not stored after it', async () => {
    const { accounts, siteId, calls, files } = await open();
    const ref = { siteId, mediaId: '1' };
    await calls['waveforms.store']({ ...ref, bytes });
    expect(files()).toHaveLength(1);
    await accounts.signOut(siteId);
    expect(await calls['waveforms.read'](ref)).toBeNull();
    expect(files()).toEqual([]);
    await calls['waveforms.store']({ ...ref, bytes });
    expect(files()).toEqual([]);
  });

  it('is refused by the contract when its bytes are no waveform', () => {
    const { input } = CALLS['waveforms.store'];
    const ref = { siteId: '1', mediaId: '1' };
    expect(input.safeParse({ ...ref, bytes }).success).toBe(true);
    expect(input.safeParse({ ...ref, bytes: bytes.subarray(1) }).success).toBe(false);
    expect(input.safeParse({ ...ref, bytes: new Uint8Array(50_000_000) }).success).toBe(false);
  });
});
