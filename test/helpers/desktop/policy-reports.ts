import type { Page } from 'playwright';

/** Counts what the page's policy refused and which scripts of hostile texts ran, from now on. */
export async function watchPolicy(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen = globalThis as unknown as { __reports: string[]; __hostile: number };
    seen.__reports = [];
    seen.__hostile = 0;
    document.addEventListener('securitypolicyviolation', (event) => {
      seen.__reports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
}

/** Returns the reports of the policy and the number of scripts that ran since `watchPolicy`. */
export function policyReports(page: Page): Promise<{ reports: string[]; executions: number }> {
  return page.evaluate(() => {
    const seen = globalThis as unknown as { __reports: string[]; __hostile: number };
    return { reports: seen.__reports, executions: seen.__hostile };
  });
}

export const NO_REPORTS = { reports: [], executions: 0 };
