import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { detailLines, labelOf } from '../../kit/text/errors.ts';
import { formatDateTime } from '../../kit/text/format.ts';
import type { StateLook } from '../../kit/text/states.ts';
import { reportSentence } from './state/doctor-store.ts';
import { texts } from './texts.ts';

type Severity = Finding['severity'];

/** The word, icon and color of each severity. */
export const FINDING_LOOKS: Readonly<Record<Severity, StateLook>> = {
  problem: { word: texts.check.severities.problem, icon: 'failed', tone: 'bad' },
  warning: { word: texts.check.severities.warning, icon: 'warning', tone: 'waiting' },
  ok: { word: texts.check.severities.ok, icon: 'complete', tone: 'good' },
};

const ORDER: readonly Severity[] = ['problem', 'warning', 'ok'];

/** Returns the findings by severity, problems first; within a severity in the order of the checks. */
export function sortedFindings({ findings }: DoctorReport): Finding[] {
  return [...findings].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}

/** Returns the details of a finding as labeled lines. */
export function findingLines(finding: Finding): { label: string; text: string }[] {
  const first = finding.details?.first;
  const named = Array.isArray(first) ? first.map((entry) => ({ label: texts.check.named, text: describe(entry) })) : [];
  return [...detailLines(finding), ...named];
}

/** Returns the text for one entry of a finding: its file name or first detail, with all other details in brackets. */
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

/** Returns the whole report as text, to send to support. */
export function reportText(report: DoctorReport, version: string): string {
  const head = [texts.check.reportHead(version, formatDateTime(report.checkedAt)), reportSentence(report), ''];
  const body = sortedFindings(report).flatMap((finding) => [
    texts.check.finding(FINDING_LOOKS[finding.severity].word, finding.code, finding.message),
    ...(finding.nextStep === null ? [] : [texts.check.nextStep(finding.nextStep)]),
    ...findingLines(finding).map(({ label, text }) => texts.check.detail(label, text)),
  ]);
  return [...head, ...body].join('\n');
}
