import { useEffect, useState } from 'react';
import type { EditPlan } from '../../../../shared/contract/edits.ts';
import { RECIPE_FIELDS } from '../../../../shared/model/recipes/recipe.ts';
import { untilCancelled } from '../../../async/latest-only.ts';
import { Checkbox } from '../../../components/forms/checkbox.tsx';
import { TextField } from '../../../components/forms/field.tsx';
import { Select } from '../../../components/forms/select.tsx';
import { showError } from '../../../stores/app/messages-store.ts';
import { loadRecipeExamples } from '../../../stores/library/selection/bulk-store.ts';
import { type RecipeDraft, type RecipeProblems, readRecipe } from '../../../stores/library/selection/change-draft.ts';
import type { Target } from '../../../stores/library/selection/media-selection.ts';
import { ChangeLine } from '../../shared/change-line.tsx';
import styles from './selection.module.css';
import { texts } from './texts.ts';

interface RecipeFormProps {
  target: Target;
  draft: RecipeDraft;
  problems: RecipeProblems | undefined;
  onChange: (change: Partial<RecipeDraft>) => void;
}

const words = texts.form.recipe;
const SOURCES = (['title', 'byline', 'description'] as const).map((value) => ({
  value,
  label: texts.form.fields[value],
}));
/** After the last key. */
const DELAY_MS = 250;

/** A pattern that reads one text of each item, templates that build the others, and what they would do. */
export function RecipeForm({ target, draft, problems = {}, onChange }: RecipeFormProps) {
  const { from, pattern, hasUnderscores, templates } = draft;
  const errorOf = (problem: string | undefined) => (problem === undefined ? null : { message: problem });
  return (
    <>
      <Select label={words.from} value={from} options={SOURCES} onChange={(next) => onChange({ from: next })} />
      <TextField
        label={words.pattern}
        value={pattern}
        hint={words.patternHint}
        placeholder={words.patternExample}
        spellCheck="false"
        onChange={(next) => onChange({ pattern: next })}
        error={errorOf(problems.pattern)}
      />
      <Checkbox isSelected={hasUnderscores} onChange={(next) => onChange({ hasUnderscores: next })}>
        {words.hasUnderscores}
      </Checkbox>
      {RECIPE_FIELDS.map((field) => (
        <TextField
          key={field}
          label={words.templates[field]}
          value={templates[field]}
          spellCheck="false"
          {...(field === 'title' ? { hint: words.templateHint } : field === 'tags' ? { hint: words.tagsHint } : {})}
          onChange={(next) => onChange({ templates: { ...templates, [field]: next } })}
          error={errorOf(problems[field])}
        />
      ))}
      <Examples target={target} draft={draft} />
    </>
  );
}

/** What the recipe would do to the first items, shortly after the last key; nothing while it has a problem. */
function Examples({ target, draft }: { target: Target; draft: RecipeDraft }) {
  const [shown, setShown] = useState<{ key: string; plan: EditPlan } | null>(null);
  const read = readRecipe(draft);
  const recipe = 'recipe' in read ? read.recipe : null;
  const key = JSON.stringify([target.selection, recipe]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the selection and the recipe
  useEffect(() => {
    if (recipe === null) return;
    let cancel = () => {};
    const timer = window.setTimeout(() => {
      cancel = untilCancelled(loadRecipeExamples(target, recipe), (plan) => setShown({ key, plan }), showError);
    }, DELAY_MS);
    return () => {
      window.clearTimeout(timer);
      cancel();
    };
  }, [key]);
  if (recipe === null || shown === null) return null;
  const { rows, changed, problems } = shown.plan;
  return (
    <section className={styles.examples} aria-label={words.examples} aria-busy={shown.key !== key}>
      {rows.map((row) => (
        <div key={row.entityId} className={styles.example}>
          <div className={styles.exampleName} title={row.name}>
            {row.name}
          </div>
          {row.problem === null ? (
            row.changes.map((change) => <ChangeLine key={change.field} change={change} nameOf={NO_NAMES} showsField />)
          ) : (
            <div className={styles.problem}>{row.problem.message}</div>
          )}
        </div>
      ))}
      <p className={styles.hint} role="status">
        {words.counts(changed, problems)}
      </p>
    </section>
  );
}

/** A recipe moves no item. */
const NO_NAMES = () => '';
