import { type FormEvent, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { ListedFile } from '../../../../../shared/contract/upload-files.ts';
import type { ItemField } from '../../../../../shared/item/fields.ts';
import type { GridModel } from '../../../../../shared/model/grid/grid-model.ts';
import { rangeOf, sizeOf } from '../../../../../shared/model/grid/grid-selection.ts';
import { compileRecipe, FIXED_TOKENS, needsContents } from '../../../../../shared/model/recipes/recipe.ts';
import { Button, classes } from '../../../../kit/components/button.tsx';
import { Segments } from '../../../../kit/components/forms/choice.tsx';
import { TokenButtons, withToken } from '../../../../kit/components/forms/token-buttons.tsx';
import { Dialog, FooterSpace } from '../../../../kit/components/overlay/dialog.tsx';
import { toErrorData } from '../../../../kit/text/errors.ts';
import { gridOutcomeText } from '../../../common/grid/use-grid.ts';
import { RecipeMenu } from '../../../common/presets/saved-menu.tsx';
import { PatternFields, TemplateFields } from '../../../common/recipes/recipe-fields.tsx';
import { announce } from '../../../common/state/messages-store.ts';
import { recipeText, typedProblems } from '../../../common/state/recipe-text.ts';
import { changeTable } from '../../state/add-store.ts';
import { type KnownContents, readContents } from '../../state/file-contents.ts';
import {
  applyFill,
  EMPTY_FILL,
  type FillDirection,
  type FillDraft,
  type FillPlan,
  type FillRows,
  fillRecipe,
  impliedTemplates,
  planFill,
} from '../../state/fill-pattern.ts';
import parts from '../parts.module.css';
import { texts as sheetTexts } from '../texts.ts';
import styles from './fill-dialog.module.css';
import { FillPreview } from './fill-preview.tsx';

const texts = sheetTexts.fill;
const DIRECTIONS = (['read', 'build'] as const).map((value) => ({ value, label: texts.directions[value] }));
const OFFERED = [
  ...(['name', 'folder', 'n', 'recorded', 'changed', 'now'] as const).map((token) => ({
    token: token as string,
    meaning: FIXED_TOKENS[token] as string,
  })),
  ...(['title', 'artist'] as const).map((tag) => ({ token: `tag.${tag}`, meaning: texts.tokens[tag] })),
];

interface FillDialogProps {
  table: GridModel;
  files: readonly ListedFile[];
  /** The files and folders that the user added. */
  roots: readonly string[];
  onClose: () => void;
}

/** Fills fields of the files in the table by a pattern, after a preview. */
export function FillDialog({ table, files, roots, onClose }: FillDialogProps) {
  const [draft, setDraft] = useState<FillDraft>(EMPTY_FILL);
  const [field, setField] = useState<ItemField>('title');
  const change = (part: Partial<FillDraft>) => setDraft((before) => ({ ...before, ...part }));
  const formId = useId();
  const recipe = useMemo(() => fillRecipe(draft), [draft]);
  const compiled = useMemo(() => compileRecipe(recipe), [recipe]);
  const planned = useDeferredValue(useMemo(() => ({ compiled, rows: draft.rows }), [compiled, draft.rows]));
  const { contents, error } = useMediaFacts(
    files,
    roots,
    !('problems' in planned.compiled) && needsContents(planned.compiled),
  );
  const plan = useMemo(
    (): FillPlan | null =>
      'problems' in planned.compiled || planned.compiled.fields.length === 0
        ? null
        : planFill(table, files, planned.compiled, planned.rows, contents),
    [table, files, planned, contents],
  );
  const isComplete = !('problems' in compiled) && compiled.fields.length > 0;
  const isReady =
    isComplete && planned.compiled === compiled && plan !== null && plan.pending === 0 && plan.changed > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const next = applyFill(table, plan);
    changeTable(next);
    if (next.last !== null) announce(gridOutcomeText(next.last));
    onClose();
  };
  const rows: { value: FillRows; label: string }[] = [
    { value: 'all', label: texts.allRows },
    { value: 'selected', label: texts.selectedRows(sizeOf(rangeOf(table.selection)).rows) },
  ];
  return (
    <Dialog
      title={texts.title}
      isOpen
      onClose={onClose}
      width={1120}
      footer={
        <>
          <FooterSpace />
          <Button onPress={onClose}>{texts.cancel}</Button>
          <Button variant="primary" type="submit" form={formId} isDisabled={!isReady}>
            {texts.submit(plan?.changed ?? 0)}
          </Button>
        </>
      }
    >
      <div className={classes(parts.parts, styles.parts)}>
        <form id={formId} className={classes(parts.form, styles.form)} onSubmit={submit} noValidate>
          <RecipeMenu
            recipe={isComplete ? recipe : null}
            onApply={(saved) => change({ ...recipeText(saved), direction: saved.pattern === '' ? 'build' : 'read' })}
          />
          <Segments<FillDirection>
            label={texts.direction}
            value={draft.direction}
            options={DIRECTIONS}
            onChange={(direction) => change({ direction })}
          />
          <Segments<FillRows>
            label={texts.rows}
            value={draft.rows}
            options={rows}
            onChange={(next) => change({ rows: next })}
          />
          <DraftFields draft={draft} onChange={change} onField={setField} />
          <TokenButtons
            label={sheetTexts.sheet.tokens}
            tokens={OFFERED}
            onAdd={(token) =>
              change({ templates: { ...draft.templates, [field]: withToken(draft.templates[field], token) } })
            }
          />
        </form>
        <FillPreview plan={plan} hint={hintOf(draft, compiled)} error={error} />
      </div>
    </Dialog>
  );
}

interface DraftFieldsProps {
  draft: FillDraft;
  onChange: (change: Partial<FillDraft>) => void;
  onField: (field: ItemField) => void;
}

function DraftFields({ draft, onChange, onField }: DraftFieldsProps) {
  const problems = typedProblems(draft.direction === 'read' ? draft : { ...draft, pattern: '' });
  const onTemplates = (templates: FillDraft['templates']) => onChange({ templates });
  if (draft.direction === 'build') {
    return (
      <TemplateFields
        key="build"
        autoFocus="title"
        templates={draft.templates}
        problems={problems}
        onChange={onTemplates}
        onField={onField}
      />
    );
  }
  return (
    <>
      <PatternFields recipe={draft} problem={problems.pattern} autoFocus onChange={onChange} />
      <TemplateFields
        templates={draft.templates}
        implied={impliedTemplates(draft)}
        problems={problems}
        onChange={onTemplates}
        onField={onField}
      />
    </>
  );
}

/** Returns a hint for the missing input; null when a preview is possible. */
function hintOf(draft: FillDraft, compiled: ReturnType<typeof compileRecipe>): string | null {
  if ('problems' in compiled) return texts.hasProblem;
  if (compiled.fields.length > 0) return null;
  if (draft.direction === 'build') return texts.templateMissing;
  return draft.pattern === '' ? texts.patternMissing : texts.noField;
}

interface MediaFactsState {
  contents: KnownContents;
  error: AppErrorData | null;
}

const NONE: MediaFactsState = { contents: new Map(), error: null };

/**
 * Reads tags and dates inside files while they are needed; returns the facts known so far. The reading ends when the view is
 * closed. `roots`: the files and folders that the user added.
 */
function useMediaFacts(files: readonly ListedFile[], roots: readonly string[], isNeeded: boolean): MediaFactsState {
  const [state, setState] = useState(NONE);
  useEffect(() => {
    if (!isNeeded) return;
    return readContents(
      files,
      roots,
      (contents) => setState({ contents, error: null }),
      (thrown) => setState((before) => ({ ...before, error: toErrorData(thrown) })),
    );
  }, [files, roots, isNeeded]);
  return state;
}
