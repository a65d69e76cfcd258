import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { detailLines, labelOf } from '../../text/errors.ts';
import { counted, formatDateTime } from '../../text/format.ts';
import type { StateLook } from '../../text/states.ts';

type Severity = Finding['severity'];

/** How grave a finding is: a word, an icon and a colour. */
export const FINDING_LOOKS: Readonly<Record<Severity, StateLook>> = {
  problem: { word: 'Problem', icon: 'failed', tone: 'bad' },
  warning: { word: 'Worth knowing', icon: 'warning', tone: 'waiting' },
  ok: { word: 'Fine', icon: 'complete', tone: 'good' },
};

const ORDER: readonly Severity[] = ['problem', 'warning', 'ok'];

/** Findings with what matters most in front; otherwise in the order in which they were checked. */
export function sortedFindings({ findings }: DoctorReport): Finding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** `Checked: 1 problem, 2 things worth knowing, 9 checks fine.` */
export function reportSentence({ findings }: DoctorReport): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const [problems, warnings, fine] = [count('problem'), count('warning'), count('ok')];
  const parts = [
    problems > 0 ? counted(problems, 'problem') : '',
    warnings > 0 ? `${counted(warnings, 'thing')} worth knowing` : '',
    fine > 0 ? `${counted(fine, 'check')} fine` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Nothing was checked.' : `Checked: ${parts.join(', ')}.`;
}

/** The facts of a finding as lines for a person. */
export function findingLines(finding: Finding): { label: string; text: string }[] {
  const first = finding.details?.first;
  const named = Array.isArray(first) ? first.map((entry) => ({ label: 'Named', text: describe(entry) })) : [];
  return [...detailLines(finding), ...named];
}

/** One of the things that a finding names: its first fact, the others in brackets. */
function describe(entry: unknown): string {
  if (Array.isArray(entry)) return entry.map(describe).join(', ');
  if (typeof entry !== 'object' || entry === null) return String(entry);
  const facts = Object.entries(entry).filter(([, value]) => value !== null && value !== '');
  const name = facts.find(([key]) => key === 'fileName') ?? facts[0];
  if (name === undefined) return '';
  const rest = facts
    .filter(([key]) => key !== name[0])
    .map(([key, value]) => `${labelOf(key).toLowerCase()}: ${describe(value)}`);
  return rest.length === 0 ? describe(name[1]) : `${describe(name[1])} (${rest.join('; ')})`;
}

/** The report as text, to be sent to someone who can help. */
export function reportText(report: DoctorReport, version: string): string {
  const head = [
    `Mediadesk ${version}, uploads checked ${formatDateTime(report.checkedAt)}`,
    reportSentence(report),
    '',
  ];
  const body = sortedFindings(report).flatMap((finding) => [
    `${FINDING_LOOKS[finding.severity].word} (${finding.code}): ${finding.message}`,
    ...(finding.nextStep === null ? [] : [`  What to do: ${finding.nextStep}`]),
    ...findingLines(finding).map(({ label, text }) => `  ${label}: ${text}`),
  ]);
  return [...head, ...body].join('\n');
}
