import { type DraftForm, formDraft, storeFormDraft } from '../../common/state/form-drafts.ts';
import { useAdmin } from './admin-store.ts';

/** Returns the text of a form with one name in the shown library, which stays until it is sent or discarded. */
export function nameDraft(form: DraftForm): { text: string | null; store: (text: string | null) => void } {
  const { siteId } = useAdmin.getState();
  if (siteId === null) return { text: null, store: () => undefined };
  const text = formDraft(siteId, form)?.name;
  return {
    text: typeof text === 'string' ? text : null,
    store: (next) => storeFormDraft(siteId, form, next === null ? null : { name: next }),
  };
}
