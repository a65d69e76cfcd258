import type { DoctorReport, Finding } from '../../../shared/contract/doctor.ts';
import { counted } from '../../text/format.ts';

/** `Checked: 1 problem, 2 things worth knowing, 9 checks fine.` */
export function reportSentence({ findings }: DoctorReport): string {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  const [problems, warnings, fine] = [count('problem'), count('warning'), count('ok')];
  const parts = [
    problems > 0 ? counted(problems, 'problem') : '',
    warnings > 0 ? `${counted(warnings, 'thing')} worth knowing` : '',
    fine > 0 ? `${counted(fine, 'check')} fine` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Nothing was checked.' : `Checked: ${parts.join(', ')}.`;
}
