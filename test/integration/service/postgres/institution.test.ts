import { expect, onTestFinished, test } from 'vitest';
import { runCampaign } from '../../../institution/campaign.ts';
import { missingPackages, startInstitution } from '../../../institution/institution.ts';

test.skipIf(missingPackages().length > 0)(
  'an institution whose processes and servers are killed loses nothing, has nothing twice, and answers again',
  async () => {
    const institution = await startInstitution({ processes: 2, workers: 2, seed: 'empty' });
    onTestFinished(institution.stop, 120_000);
    const report = await runCampaign(institution, {
      clients: 4,
      ms: 0,
      kills: 6,
      everyMs: [300, 1500],
      seed: 1,
      onProgress: () => {},
    });
    expect(report.problems, JSON.stringify(report)).toEqual([]);
    expect(report.files).toBeGreaterThan(0);
  },
  900_000,
);
