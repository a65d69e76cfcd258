// What a scenario finds, as data and as a table.

export interface Row {
  what: string;
  /** What was found, as a sentence. */
  measured: string;
  /** The same as a number. */
  value: number;
  /** The promised value; null: nothing is promised, and the row is only for comparison. */
  target: string | null;
  ok: boolean | null;
}

export interface ScenarioReport {
  scenario: string;
  about: string;
  rows: Row[];
}

/** Returns a row without a promised value. */
export function figure(what: string, value: number, unit: string, digits = 0): Row {
  return { what, measured: `${value.toFixed(digits)} ${unit}`.trim(), value, target: null, ok: null };
}

export function atLeast(what: string, value: number, least: number, unit = '', digits = 2): Row {
  const target = `≥ ${least.toFixed(digits)} ${unit}`.trim();
  return { ...figure(what, value, unit, digits), target, ok: value >= least };
}

export function atMost(what: string, value: number, most: number, unit = '', digits = 2): Row {
  const target = `≤ ${most.toFixed(digits)} ${unit}`.trim();
  return { ...figure(what, value, unit, digits), target, ok: value <= most };
}

/** Prints the findings of a scenario for the program that started it. */
export function report(findings: ScenarioReport): void {
  process.stdout.write(`${JSON.stringify(findings)}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function tableOf(reports: readonly ScenarioReport[]): string {
  const lines: string[][] = [['scenario', 'what', 'measured', 'target', '']];
  for (const { scenario, rows } of reports) {
    for (const { what, measured, target, ok } of rows) {
      lines.push([scenario, what, measured, target ?? '–', ok === null ? '' : ok ? 'ok' : 'MISSED']);
    }
  }
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (line: string[]) =>
    line
      .map((cell, column) =>
        column === 2 || column === 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const [head = [], ...rest] = lines;
  return [pad(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rest.map(pad)].join('\n');
}
