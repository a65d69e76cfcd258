import { useEffect, useState } from 'react';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditPlan } from '../../../../shared/contract/edits.ts';
import type { SavedRecipe } from '../../../../shared/contract/presets.ts';
import { TEXT_FIELDS } from '../../../../shared/item/fields.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { Select } from '../../../kit/components/forms/select.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { useSettled } from '../../../kit/components/time-hooks.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { ChangeLine } from '../../common/change-line.tsx';
import { RecipeMenu } from '../../common/presets/saved-menu.tsx';
import { PatternFields, TemplateFields } from '../../common/recipes/recipe-fields.tsx';
import { type RecipeProblems, recipeText, typedProblems } from '../../common/state/recipe-text.ts';
import { loadRecipeExamples } from '../state/selection/bulk-store.ts';
import { type RecipeDraft, readRecipe } from '../state/selection/change-draft.ts';
import type { Target } from '../state/selection/media-selection.ts';
import styles from './selection.module.css';
import { texts } from './texts.ts';

interface RecipeFormProps {
  target: Target;
  draft: RecipeDraft;
  problems: RecipeProblems | undefined;
  onChange: (change: Partial<RecipeDraft>) => void;
}

const words = texts.form.recipe;
const SOURCES = TEXT_FIELDS.map((value) => ({
  value,
  label: texts.form.fields[value],
}));
/** When the user stops typing for this time, the recipe is checked and its examples are updated. */
const PAUSE_MS = 600;

/** Returns the recipe as it is saved; null while it is incomplete. */
function savedOf(draft: RecipeDraft): SavedRecipe['recipe'] | null {
  const read = readRecipe(draft);
  if ('problems' in read) return null;
  const { pattern, fields, hasUnderscores = false } = read.recipe;
  return { pattern, fields, hasUnderscores };
}

/** The form of a recipe: a pattern that reads one text of each item, templates that build the other fields, and examples. */
export function RecipeForm({ target, draft, problems = {}, onChange }: RecipeFormProps) {
  const { settled, settle } = useSettled(draft, PAUSE_MS);
  const shown: RecipeProblems = settled === draft ? { ...typedProblems(draft), ...problems } : problems;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: notices that a field inside is left
    <div className={styles.partBody} onBlur={settle}>
      <RecipeMenu recipe={savedOf(draft)} onApply={(recipe) => onChange(recipeText(recipe))} />
      <Select label={words.from} value={draft.from} options={SOURCES} onChange={(next) => onChange({ from: next })} />
      <PatternFields recipe={draft} problem={shown.pattern} onChange={onChange} />
      <TemplateFields templates={draft.templates} problems={shown} onChange={(templates) => onChange({ templates })} />
      <Examples target={target} draft={settled} isOld={settled !== draft} />
    </div>
  );
}

interface ExamplesProps {
  target: Target;
  draft: RecipeDraft;
  /** Whether the form was changed since this draft. */
  isOld: boolean;
}

/** Shows the result of the recipe for the first items; nothing while the recipe has a problem or is incomplete. */
function Examples({ target, draft, isOld }: ExamplesProps) {
  const [answer, setAnswer] = useState<{ key: string; plan: EditPlan } | { key: string; error: AppErrorData } | null>(
    null,
  );
  const read = readRecipe(draft);
  const recipe = 'recipe' in read ? read.recipe : null;
  const key = JSON.stringify([target.selection, recipe]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with the selection and the recipe
  useEffect(() => {
    if (recipe === null) return;
    return untilCancelled(
      loadRecipeExamples(target, recipe),
      (plan) => setAnswer({ key, plan }),
      (thrown) => setAnswer({ key, error: toErrorData(thrown) }),
    );
  }, [key]);
  if (recipe === null) return null;
  const isBusy = isOld || answer?.key !== key;
  return (
    <section className={styles.examples} aria-label={words.examples} aria-busy={isBusy}>
      {isBusy ? (
        <p className={styles.hint}>{words.examplesBusy}</p>
      ) : 'error' in answer ? (
        <InlineError error={answer.error} />
      ) : (
        <ExampleRows plan={answer.plan} />
      )}
    </section>
  );
}

function ExampleRows({ plan: { rows, changed, problems } }: { plan: EditPlan }) {
  return (
    <>
      {rows.map((row) => (
        <div key={row.entityId} className={styles.example}>
          <div className={styles.exampleName} title={row.name}>
            {row.name}
          </div>
          {row.problem === null ? (
            row.changes.map((change) => <ChangeLine key={change.field} change={change} nameOf={NO_NAMES} showsField />)
          ) : (
            <div className={styles.exampleProblem}>{row.problem.message}</div>
          )}
        </div>
      ))}
      <p className={styles.hint} role="status">
        {words.counts(changed, problems)}
      </p>
    </>
  );
}

/** The rows of examples need no names of collections: a recipe moves no item. */
const NO_NAMES = () => '';
