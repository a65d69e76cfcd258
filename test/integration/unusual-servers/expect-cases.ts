import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_CASES } from '../../unusual-servers/cases/all.ts';
import { AREAS, type Area } from '../../unusual-servers/suite/case.ts';
import { LONGEST_CASE_MS, runCase } from '../../unusual-servers/suite/run-case.ts';
import { ServerProcess } from '../../unusual-servers/suite/server-process.ts';

/** Defines a test for every case of these areas. A few run in parallel, because most of their time is waiting. */
export function expectCases(areas: readonly Area[]): void {
  let servers: ServerProcess;
  beforeAll(() => {
    servers = new ServerProcess();
  });
  afterAll(() => servers.stop());

  describe.concurrent.each(areas.map((area) => ({ area, title: AREAS[area] })))(
    '$title: uploads end as expected when the server',
    ({ area }) => {
      const cases = ALL_CASES.filter((each) => each.area === area);
      it.each(cases)(
        '$name ($id)',
        async (each) => {
          expect(await runCase(each, servers)).toEqual([]);
        },
        LONGEST_CASE_MS,
      );
    },
  );
}
