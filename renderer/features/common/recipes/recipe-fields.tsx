import { ITEM_FIELDS, type ItemField } from '../../../../shared/item/fields.ts';
import { Checkbox } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import type { RecipeProblems, RecipeText } from '../state/recipe-text.ts';
import { texts } from '../texts.ts';

interface PatternFieldsProps {
  recipe: Pick<RecipeText, 'pattern' | 'hasUnderscores'>;
  problem: string | undefined;
  autoFocus?: boolean;
  onChange: (change: Partial<RecipeText>) => void;
}

/** The pattern that reads values out of a text. */
export function PatternFields({ recipe, problem, autoFocus = false, onChange }: PatternFieldsProps) {
  return (
    <>
      <TextField
        label={texts.recipes.pattern}
        value={recipe.pattern}
        hint={texts.recipes.patternHint}
        placeholder={texts.recipes.patternExample}
        spellCheck="false"
        autoFocus={autoFocus}
        onChange={(pattern) => onChange({ pattern })}
        error={errorOf(problem)}
      />
      <Checkbox isSelected={recipe.hasUnderscores} onChange={(hasUnderscores) => onChange({ hasUnderscores })}>
        {texts.recipes.hasUnderscores}
      </Checkbox>
    </>
  );
}

interface TemplateFieldsProps {
  templates: RecipeText['templates'];
  /** The values that fields get while their template is empty, shown in the fields. */
  implied?: Partial<Record<ItemField, string>>;
  problems: RecipeProblems;
  /** The field that is focused when the form opens. */
  autoFocus?: ItemField;
  onChange: (templates: RecipeText['templates']) => void;
  /** Called with the field that the user types into. */
  onField?: (field: ItemField) => void;
}

/** The templates that build the fields of an item. */
export function TemplateFields(props: TemplateFieldsProps) {
  const { templates, implied = {}, problems, autoFocus, onChange, onField } = props;
  return ITEM_FIELDS.map((field) => (
    <TextField
      key={field}
      label={texts.recipes.templates[field]}
      value={templates[field]}
      spellCheck="false"
      autoFocus={field === autoFocus}
      {...(implied[field] === undefined ? {} : { placeholder: implied[field] })}
      {...(field === 'title'
        ? { hint: texts.recipes.templateHint }
        : field === 'tags'
          ? { hint: texts.recipes.tagsHint }
          : {})}
      onChange={(template) => onChange({ ...templates, [field]: template })}
      onFocus={() => onField?.(field)}
      error={errorOf(problems[field])}
    />
  ));
}

function errorOf(problem: string | undefined): { message: string } | null {
  return problem === undefined ? null : { message: problem };
}
