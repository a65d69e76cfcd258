// The table at the end of the unattended demo. Pure.

/** One sample recording: the file on the disk, the states in the window, and the file in the library. */
export interface ReportLine {
  fileName: string;
  /** Bytes of the file on this disk. */
  size: number;
  /** States in the order in which the window showed them. */
  states: readonly string[];
  outcome: string;
  sentSha256: string;
  /** The hash of the bytes in the library; null when the library has none of them. */
  storedSha256: string | null;
  storedSize: number | null;
}

export interface Report {
  text: string;
  /** True when every file is complete and its stored bytes are equal to those on the disk. */
  good: boolean;
}

function isGood(line: ReportLine): boolean {
  return line.outcome === 'complete' && line.storedSha256 === line.sentSha256 && line.storedSize === line.size;
}

function bytes(count: number): string {
  return count.toLocaleString('en-US');
}

/** Returns a block for each file with both hashes below each other, and totals that are computed from the lines. */
export function buildReport(lines: readonly ReportLine[]): Report {
  const blocks = lines.map((line) =>
    [
      `${isGood(line) ? '✓' : '✗'} ${line.fileName}`,
      `    states   ${line.states.join(' → ')}`,
      `    sent     ${line.sentSha256}  ${bytes(line.size).padStart(12)} bytes`,
      `    stored   ${line.storedSha256 ?? '–'.padEnd(64)}  ${bytes(line.storedSize ?? 0).padStart(12)} bytes`,
    ].join('\n'),
  );
  const count = (test: (line: ReportLine) => boolean) => lines.filter(test).length;
  const complete = count((line) => line.outcome === 'complete');
  const failed = count((line) => line.outcome === 'failed');
  const other = lines.length - complete - failed;
  const equal = count(isGood);
  const sent = lines.reduce((sum, line) => sum + line.size, 0);
  const stored = lines.reduce((sum, line) => sum + (line.storedSize ?? 0), 0);
  const totals = [
    `${lines.length} files = ${complete} complete + ${failed} failed + ${other} other`,
    `${bytes(sent)} bytes sent, ${bytes(stored)} bytes stored; ${equal} of ${lines.length} equal by SHA-256`,
  ];
  return {
    text: [...blocks, '', ...totals].join('\n'),
    good: lines.length > 0 && equal === lines.length && sent === stored,
  };
}
