import type { DoctorReport, Finding } from '../../../../shared/contract/doctor.ts';
import { texts } from '../../common/state/texts.ts';

/** `Checked: 1 problem, 2 warnings, 9 checks without problems.` */
export function reportSentence({ findings }: DoctorReport): string {
  const count = (severity: Finding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  const [problems, warnings, fine] = [count('problem'), count('warning'), count('ok')];
  const parts = [
    problems > 0 ? texts.problems(problems) : '',
    warnings > 0 ? texts.warnings(warnings) : '',
    fine > 0 ? texts.fine(fine) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? texts.nothingChecked : texts.checked(parts);
}
