import { X } from 'lucide-react';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { TagField } from '../../../kit/components/forms/tag-field.tsx';
import { formatCount } from '../../../kit/text/format.ts';
import type { PlannedValues } from '../state/selection/bulk-store.ts';
import type { ChangeDraft } from '../state/selection/change-draft.ts';
import styles from './selection.module.css';
import { texts } from './texts.ts';

type TagsDraft = ChangeDraft['tags'];

interface TagChangeProps {
  draft: TagsDraft;
  problem: string | undefined;
  /** The tags of the items, the most frequent first. */
  tags: PlannedValues['tags'];
  onChange: (change: Partial<TagsDraft>) => void;
  /** The field for tags gets the focus. */
  autoFocus?: boolean;
}

const ACTIONS = (['change', 'replace'] as const).map((value) => ({ value, label: texts.form.tagActions[value] }));
const MOST_SHOWN = 40;

/** Adds tags to several items and removes some of their tags, or replaces all of them. */
export function TagChange({ draft, problem, tags, onChange, autoFocus = false }: TagChangeProps) {
  const isReplaced = draft.action === 'replace';
  const toggle = (tag: string) => {
    const isRemoved = draft.remove.includes(tag);
    onChange({ remove: isRemoved ? draft.remove.filter((each) => each !== tag) : [...draft.remove, tag] });
  };
  return (
    <>
      <Segments
        hideLabel
        label={texts.form.fields.tags}
        value={draft.action}
        options={ACTIONS}
        onChange={(action) => onChange({ action })}
      />
      <TagField
        label={isReplaced ? texts.form.allTags : texts.form.addTags}
        tags={draft.add}
        suggestions={tags.map(({ tag }) => tag)}
        onChange={(add) => onChange({ add })}
        error={problem}
        autoFocus={autoFocus}
      />
      {isReplaced ? (
        <p className={styles.hint}>{texts.form.allTagsHint}</p>
      ) : (
        <fieldset className={styles.tagGroup}>
          <legend>{texts.form.removeTags}</legend>
          {tags.length === 0 ? <p className={styles.hint}>{texts.form.noTags}</p> : null}
          <div className={styles.tagList}>
            {tags.slice(0, MOST_SHOWN).map(({ tag, items }) => (
              <button
                key={tag}
                type="button"
                className={styles.tagToggle}
                aria-pressed={draft.remove.includes(tag)}
                title={texts.form.removeTag(tag, items)}
                onClick={() => toggle(tag)}
              >
                <X size={11} aria-hidden />
                <span className="visually-hidden">{texts.form.remove} </span>
                <span className={styles.tagName}>{tag}</span>{' '}
                <span className={styles.tagCount}>{formatCount(items)}</span>
              </button>
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}
