import { fieldProblems, problemText } from '../../../shared/api/field-problems.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { ERROR_CATALOG } from '../../../shared/contract/errors/error-catalog.ts';
import { CallError } from '../bridge/bridge.ts';

/** Converts any thrown value to an error that a screen can show. */
export function toErrorData(thrown: unknown): AppErrorData {
  if (thrown instanceof CallError) return thrown.data;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const { message, nextStep } = ERROR_CATALOG.internal;
  return { code: 'internal', message, nextStep, details: { reason } };
}

/** Error codes that mean a fault of our own code. */
const DEFECTS: ReadonlySet<string> = new Set(['internal', 'input.invalid']);

/**
 * Takes the error of background work, which has no place on the screen: one that the engine expects is ignored. Throws a fault of our
 * own code, so that it is reported.
 */
export function throwDefect(thrown: unknown): void {
  if (!(thrown instanceof CallError) || DEFECTS.has(thrown.data.code)) throw thrown;
}

type SignInField = 'baseUrl' | 'clientId' | 'form';

/** Returns the field of the sign-in form that an error code belongs to. */
export function signInFieldOf(code: string): SignInField {
  if (code.startsWith('site.') || code === 'network.unreachable' || code === 'network.tls') return 'baseUrl';
  if (code === 'network.timed-out') return 'baseUrl';
  if (code === 'sign-in.failed') return 'clientId';
  return 'form';
}

/** Returns whether the error means that the user ended the sign-in; such an error is not shown. */
export function isOwnChoice(code: string): boolean {
  return code === 'sign-in.cancelled' || code === 'sign-in.window-closed';
}

interface FieldErrors {
  /** Sentences by field name of the API. */
  fields: Record<string, string>;
  /** Sentences that belong to no shown field. */
  general: string[];
}

/** Returns the messages of an `api.invalid` error by field. `shown`: the fields of the screen, by their names in the API. */
export function fieldErrorsOf(error: Pick<AppErrorData, 'details'>, shown: readonly string[]): FieldErrors {
  const result: FieldErrors = { fields: {}, general: [] };
  for (const problem of fieldProblems(error.details?.errors)) {
    const { field, message } = problem;
    if (field === null || !shown.includes(field)) result.general.push(problemText(problem));
    else result.fields[field] = [result.fields[field] ?? [], capitalized(message)].flat().join(' ');
  }
  return result;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the text that the library or its upload server wrote about a refusal; null when it wrote none. */
export function answerOf(error: AppErrorData): string | null {
  const message = error.details?.message ?? error.details?.answer;
  const wrote = [typeof message === 'string' ? message : '', ...fieldErrorsOf(error, []).general];
  return wrote.filter((text) => text !== '').join(' ') || null;
}

/** Errors whose next step refers the user to the answer of the library or of its upload server. */
const EXPLAINED_BY_ANSWER: ReadonlySet<string> = new Set([
  'api.bad-request',
  'api.conflict',
  'api.invalid',
  'api.unexpected',
  'upload.refused',
]);

/** Returns the next step of an error for places that show no details: an answer replaces the next step that refers to it. */
export function stepText(error: AppErrorData): string | null {
  return (EXPLAINED_BY_ANSWER.has(error.code) ? answerOf(error) : null) ?? error.nextStep;
}

/** Returns an error with its next step as text, for places that show no details. */
export function errorText(error: AppErrorData): string {
  return `${error.message} ${stepText(error) ?? ''}`.trim();
}

/** Returns the details of an error as labeled lines, without nesting or JSON. Refused values of the library have one line. */
export function detailLines(error: Pick<AppErrorData, 'details'>): { label: string; text: string }[] {
  const refused = fieldErrorsOf(error, []).general.join(' ');
  const lines = Object.entries(error.details ?? {})
    .filter(([key, value]) => key !== 'errors' && value !== null && value !== undefined && typeof value !== 'object')
    .map(([key, value]) => ({ label: labelOf(key), text: String(value) }));
  return refused === '' ? lines : [{ label: 'Refused values', text: refused }, ...lines];
}

/** Returns the name of a detail as words: `requestPath` → `Request path`. */
export function labelOf(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
