import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseResult } from './runner.ts';
import { SECTION_IDS, SECTIONS, type SectionId } from './sections.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export function countsOf(results: readonly CaseResult[]): Counts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** The results by section, in the order of the sections; sections without results are left out. */
function bySection(results: readonly CaseResult[]): { section: SectionId; results: CaseResult[] }[] {
  return SECTION_IDS.map((section) => ({
    section,
    results: results.filter((result) => result.case.section === section),
  })).filter((each) => each.results.length > 0);
}

const MARKS = { passed: 'passed ', failed: 'FAILED ', skipped: 'skipped' } as const;

/** One section's results as lines of text: a heading with the counts, then a line for each case. */
export function sectionTable(section: SectionId, results: readonly CaseResult[]): string {
  const width = Math.max(...results.map((result) => result.case.id.length));
  const lines = results.map((result) => {
    const line = `  ${MARKS[result.status]}  ${result.case.id.padEnd(width)}  ${result.case.name}`;
    return result.reason === '' ? line : `${line}\n${indent(result.reason)}`;
  });
  return [`${SECTIONS[section]} (${countsText(countsOf(results))})`, ...lines].join('\n');
}

function indent(text: string): string {
  return text.replace(/^/gm, '             ');
}

export interface RunFacts {
  baseUrl: string;
  startedAt: string;
  durationMs: number;
  /** What the cleanup could not remove. */
  leftBehind: readonly string[];
}

/** Writes `conformance.json` and `conformance.xml` (JUnit) into a folder, and creates the folder if necessary. */
export async function writeReports(folder: string, results: readonly CaseResult[], facts: RunFacts): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'conformance.json'), `${JSON.stringify(jsonReport(results, facts), null, 2)}\n`);
  await writeFile(join(folder, 'conformance.xml'), junitReport(results, facts));
}

function jsonReport(results: readonly CaseResult[], facts: RunFacts) {
  return {
    base_url: facts.baseUrl,
    started_at: facts.startedAt,
    duration_ms: facts.durationMs,
    ...countsOf(results),
    left_behind: facts.leftBehind,
    sections: bySection(results).map(({ section, results: own }) => ({
      id: section,
      title: SECTIONS[section],
      ...countsOf(own),
      cases: own.map(({ case: { id, name }, status, reason, durationMs }) => {
        return { id, name, status, reason: reason === '' ? null : reason, duration_ms: durationMs };
      }),
    })),
  };
}

function junitReport(results: readonly CaseResult[], facts: RunFacts): string {
  const suites = bySection(results).map(({ section, results: own }) => {
    const cases = own.map(junitCase).join('\n');
    return `  <testsuite name="${xml(SECTIONS[section])}" ${junitCounts(own)} timestamp="${facts.startedAt}">\n${cases}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="conformance" ${junitCounts(results)}>
${suites.join('\n')}
</testsuites>
`;
}

function junitCounts(results: readonly CaseResult[]): string {
  const { failed, skipped } = countsOf(results);
  const timeMs = results.reduce((sum, result) => sum + result.durationMs, 0);
  return `tests="${results.length}" failures="${failed}" errors="0" skipped="${skipped}" time="${timeMs / 1000}"`;
}

function junitCase({ case: { id, section, name }, status, reason, durationMs }: CaseResult): string {
  const open = `    <testcase classname="${section}" name="${xml(`${id}: ${name}`)}" time="${durationMs / 1000}"`;
  if (status === 'passed') return `${open}/>`;
  const [first = ''] = reason.split('\n');
  const inner =
    status === 'skipped'
      ? `<skipped message="${xml(reason)}"/>`
      : `<failure message="${xml(first)}">${xml(reason)}</failure>`;
  return `${open}>${inner}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for XML and replaces characters that XML does not permit. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '')
    .replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
