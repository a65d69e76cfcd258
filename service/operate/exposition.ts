/** One metric in the text format that Prometheus reads, version 0.0.4. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

export interface Sample {
  /** Follows the name of the metric, such as `_bucket`. */
  suffix?: string;
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** The content type of the format. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Returns metrics in the text format. A metric without samples is left out. */
export function exposition(metrics: readonly Metric[]): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of metrics) {
    if (samples.length === 0) continue;
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const { suffix = '', labels = {}, value } of samples) {
      lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

function numberText(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}
