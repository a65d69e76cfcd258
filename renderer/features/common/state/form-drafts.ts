import { StoredDrafts } from './stored-drafts.ts';

/** The forms of the administration whose contents stay on this computer until they are sent or discarded. */
export type DraftForm = 'new-person' | 'new-group' | 'new-role' | 'new-tag' | 'role';

type FormDraft = Readonly<Record<string, string | boolean | readonly string[]>>;

/** The most forms that are stored: those of some accounts. */
const MOST_FORMS = 50;

const stored = new StoredDrafts<FormDraft>({ name: 'mediadesk.form-drafts', most: MOST_FORMS, read: readDraft });

const keyOf = (siteId: string, form: DraftForm) => `${siteId}/${form}`;

/** Returns what was typed into a form and never sent, also before Mediadesk was closed; null: nothing. Never contains a password. */
export function formDraft(siteId: string, form: DraftForm): FormDraft | null {
  return stored.drafts.get(keyOf(siteId, form)) ?? null;
}

/** Stores what is typed into a form; null removes it. */
export function storeFormDraft(siteId: string, form: DraftForm, draft: FormDraft | null): void {
  const key = keyOf(siteId, form);
  if (draft === null && !stored.drafts.has(key)) return;
  stored.set(key, draft);
  stored.write();
}

/** The number of forms of an account with something that was not sent. */
export function formDraftsCount(siteId: string): number {
  return [...stored.drafts.keys()].filter((key) => key.startsWith(`${siteId}/`)).length;
}

/** Removes everything that was typed into forms of an account that was signed out. */
export function forgetFormDraftsOf(siteId: string): void {
  stored.removeAccount(siteId);
}

function readDraft(from: Readonly<Record<string, unknown>>): FormDraft | null {
  const values = Object.entries(from).filter(([, value]) => isValue(value));
  return values.length > 0 ? (Object.fromEntries(values) as FormDraft) : null;
}

function isValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'boolean';
}
