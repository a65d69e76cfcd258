// The processes of a library are upgraded one after the other, and back, while clients work.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SCHEMA_VERSION } from '../../../../service/database/schema.ts';
import { makeNextVersion, type NextVersion } from '../../../helpers/service/next-version.ts';
import { ask } from '../../../helpers/service/postgres.ts';
import { runCampaign } from '../../../institution/campaign.ts';
import { type Institution, missingPackages, startInstitution } from '../../../institution/institution.ts';

const COLUMN = `ALTER TABLE media ADD COLUMN shelf TEXT NOT NULL DEFAULT 'none'; CREATE INDEX media_by_shelf ON media (shelf)`;

describe.skipIf(missingPackages().length > 0)('an upgrade of one process after the other', () => {
  let next: NextVersion;
  let institution: Institution;
  beforeAll(async () => {
    next = makeNextVersion(COLUMN, true);
    institution = await startInstitution({ processes: 2, workers: 1, seed: 'empty' });
  }, 180_000);
  afterAll(async () => {
    await institution?.stop();
    next.remove();
  }, 120_000);
  const schema = async () => {
    const rows = await ask<{ version: string }>(
      institution.postgres.address('library1'),
      `SELECT value AS version FROM meta WHERE key = 'schema_version'`,
    );
    return Number(rows[0]?.version);
  };

  test('loses nothing of clients that work through both versions, also when one goes back', async () => {
    let isOver = false;
    const campaign = runCampaign(institution, {
      clients: 4,
      ms: 0,
      kills: 0,
      everyMs: [0, 0],
      files: 30,
      seed: 1,
      onProgress: () => {},
      isOver: () => isOver,
    });
    onTestFinished(() => {
      isOver = true;
    });
    expect(await schema()).toBe(SCHEMA_VERSION);
    await institution.replaceService(0, next.program);
    expect(await schema()).toBe(SCHEMA_VERSION + 1);
    await institution.replaceService(1, next.program);
    await institution.replaceService(0, undefined);
    await institution.replaceService(0, next.program);
    isOver = true;
    const report = await campaign;
    expect(report.problems, JSON.stringify(report)).toEqual([]);
    expect(Object.keys(report.retried).filter((reason) => reason.includes('500'))).toEqual([]);
    expect(report.files).toBeGreaterThan(0);
  }, 600_000);
});
