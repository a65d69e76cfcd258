// The question about a library that was restored from a backup.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, openView, whenSignedIn } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { openSignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { archive } from '../../helpers/service/service-archive.ts';
import { IS_ON_SERVER } from '../../helpers/service/test-database.ts';

it.skipIf(IS_ON_SERVER)('a notice asks what to do with a restored library, and continues', async () => {
  const opened = await openSignedInApp({ service: { seed: 'demo', options: ['--operations', '127.0.0.1:0'] } });
  try {
    const { service, folder } = opened;
    const made = await archive('backup', '--data', service.dataDir, '--to', join(folder, 'backup'));
    expect(made.code, made.stderr).toBe(0);
    await service.end('SIGTERM');
    rmSync(service.dataDir, { recursive: true });
    const restored = await archive('restore', '--from', made.record.backup, '--data', service.dataDir);
    expect(restored.code, restored.stderr).toBe(0);
    await service.restart();

    const { desktop, page } = await opened.reopen(async (shown) => {
      await shown.locator('html[data-ready="true"]').waitFor({ state: 'attached' });
    });
    await signIn(desktop, service);
    await whenSignedIn(page);
    await openView(page, 'All items');
    const notice = page.getByRole('region', { name: 'Notices' });
    await notice.getByText('was restored from a backup.').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await notice.getByRole('button', { name: 'Show edits' }).click();
    await page.getByRole('heading', { name: 'Edits', exact: true }).waitFor();
    await notice.getByRole('button', { name: 'Continue' }).click();
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Messages' }).getByText('The library is used again.').waitFor();
    const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
    expect(site).toMatchObject({ restored: false, state: 'signed-in' });
    await openView(page, 'All items');
    await page.locator('main [role="grid"]').getByRole('row').nth(2).waitFor();
  } finally {
    await opened.close();
  }
});
