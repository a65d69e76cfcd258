import { AREAS, type Area, type UnusualCase } from './case.ts';

export interface CaseResult {
  case: UnusualCase;
  /** The violations, as sentences; empty when the client passed. */
  wrong: readonly string[];
  tookMs: number;
}

/** Returns one line for each area with the numbers of passed and failed cases, then the failures. */
export function tableOf(results: readonly CaseResult[]): string {
  const width = Math.max(...Object.values(AREAS).map((title) => title.length));
  const line = (title: string, held: unknown, failed: unknown) =>
    `${title.padEnd(width)}  ${String(held).padStart(5)}  ${String(failed).padStart(6)}`;
  const counts = (own: readonly CaseResult[]) => {
    const failed = own.filter(({ wrong }) => wrong.length > 0).length;
    return [own.length - failed, failed] as const;
  };
  const areas = (Object.keys(AREAS) as Area[]).flatMap((area) => {
    const own = results.filter((result) => result.case.area === area);
    return own.length === 0 ? [] : [line(AREAS[area], ...counts(own))];
  });
  const failures = results.flatMap(({ case: { id, name }, wrong }) =>
    wrong.length === 0 ? [] : [`\n${id}: ${name}`, ...wrong.map((each) => `  ${each}`)],
  );
  return [line('Area', 'held', 'failed'), ...areas, line('All', ...counts(results)), ...failures].join('\n');
}
