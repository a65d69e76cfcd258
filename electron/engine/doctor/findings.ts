import type { Finding } from '../../../shared/contract/doctor.ts';

/** How many names a finding lists; its sentence contains the total. */
const MOST_NAMED = 20;

type Facts = Pick<Finding, 'code' | 'message'> & Partial<Pick<Finding, 'nextStep' | 'details'>>;

const finding =
  (severity: Finding['severity']) =>
  (facts: Facts): Finding => {
    const { code, message, nextStep = null, details = null } = facts;
    return { code, severity, message, nextStep, details };
  };

export const fine = finding('ok');
export const warning = finding('warning');
export const problem = finding('problem');

/** `1 upload is`, `3 uploads are`. */
export function counted(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
}

/** Returns the first elements of a list, for the details of a finding. */
export function firstOf<T>(all: readonly T[]): { count: number; first: T[] } {
  return { count: all.length, first: all.slice(0, MOST_NAMED) };
}
