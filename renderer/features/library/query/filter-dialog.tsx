import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button as AriaButton, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import type { KnownValue } from '../../../../shared/contract/library.ts';
import type { QueryTerm } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { type DateKind, daysOf, periodsOf, rangeOfDays } from '../../../../shared/model/library-query/range-days.ts';
import { readDuration, writeDuration } from '../../../../shared/model/library-query/ranges.ts';
import { localDay } from '../../../../shared/model/local-day.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { classes } from '../../../kit/components/button.tsx';
import comboStyles from '../../../kit/components/forms/combo.module.css';
import { DateField } from '../../../kit/components/forms/date-time-field.tsx';
import { fieldStyles, TextField } from '../../../kit/components/forms/field.tsx';
import { Select } from '../../../kit/components/forms/select.tsx';
import { FormDialog } from '../../../kit/components/overlay/form-dialog.tsx';
import popoverStyles from '../../../kit/components/overlay/popover.module.css';
import { formatCount } from '../../../kit/text/format.ts';
import { showError } from '../../common/state/messages-store.ts';
import { mediaList } from '../state/media-store.ts';
import { type ConditionKind, closeEditor, putTerm, useQuery } from '../state/query/query-store.ts';
import { queryDateText } from './chip-text.ts';
import styles from './query.module.css';
import { texts } from './texts.ts';

/** The dialog of a condition with a value. */
export function FilterDialog() {
  const editor = useQuery((state) => state.editor);
  return editor === null ? null : (
    <Editor key={`${editor.kind}/${editor.index}`} kind={editor.kind} index={editor.index} />
  );
}

interface Values {
  /** A tag or a byline; the first day; the shortest length. */
  first: string;
  /** The last day; the longest length. */
  last: string;
}

function Editor({ kind, index }: { kind: ConditionKind; index: number | null }) {
  const search = useQuery((state) => state.text);
  const [initial] = useState(() => termAt(search, kind, index));
  const [values, setValues] = useState<Values>(() => valuesOf(initial));
  const [isWrong, setWrong] = useState(false);
  const change = (next: Partial<Values>) => {
    setWrong(false);
    setValues({ ...values, ...next });
  };
  const submit = () => {
    const term = termOf(kind, values, initial?.isNegated ?? false);
    if (term === null) {
      setWrong(true);
      return;
    }
    closeEditor();
    putTerm(index, term);
  };
  const problem = isWrong ? problemOf(kind) : null;
  return (
    <FormDialog
      title={texts.dialog.titles[kind]}
      action={texts.dialog.apply}
      width={380}
      onSubmit={submit}
      onClose={closeEditor}
    >
      <Fields kind={kind} values={values} problem={problem} onChange={change} />
    </FormDialog>
  );
}

interface FieldsProps {
  kind: ConditionKind;
  values: Values;
  problem: string | null;
  onChange: (change: Partial<Values>) => void;
}

function Fields({ kind, values, problem, onChange }: FieldsProps) {
  const error = problem === null ? null : { message: problem };
  switch (kind) {
    case 'tag':
      return <TagPicker value={values.first} problem={problem} onChange={(first) => onChange({ first })} />;
    case 'byline':
      return (
        <TextField
          label={texts.dialog.byline}
          value={values.first}
          maxLength={200}
          autoFocus
          error={error}
          onChange={(first) => onChange({ first })}
        />
      );
    case 'duration':
      return (
        <div className={styles.pair}>
          <TextField
            label={texts.dialog.atLeast}
            value={values.first}
            autoFocus
            error={error}
            hint={texts.dialog.lengthHint}
            onChange={(first) => onChange({ first })}
          />
          <TextField label={texts.dialog.atMost} value={values.last} onChange={(last) => onChange({ last })} />
        </div>
      );
    default:
      return <Dates kind={kind} values={values} problem={problem} onChange={onChange} />;
  }
}

/** A whole period, or single days. */
function Dates({ kind, values, problem, onChange }: FieldsProps & { kind: DateKind }) {
  const [today] = useState(() => localDay(Date.now()));
  const periods = periodsOf(kind, today);
  const { first, last } = values;
  const value = first === last && periods.includes(first) ? first : DAYS;
  const choose = (next: string) => {
    if (next !== DAYS) return onChange({ first: next, last: next });
    if (value === DAYS) return;
    const { from, to } = daysOf({ from: first, to: last, isOpen: false }, today);
    onChange({ first: from, last: to });
  };
  return (
    <>
      <Select
        label={texts.dialog.period}
        value={value}
        options={[DAYS, ...periods].map((each) => ({ value: each, label: periodText(each) }))}
        onChange={choose}
      />
      {value === DAYS ? <Days values={values} problem={problem} onChange={onChange} /> : null}
    </>
  );
}

/** The choice of single days among the periods. */
const DAYS = 'days';

function periodText(period: string): string {
  if (period === DAYS) return texts.dialog.days;
  const words = queryDateText(period);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Days({ values, problem, onChange }: Omit<FieldsProps, 'kind'>) {
  const hintId = useId();
  const field = (name: keyof Values, label: string) => (
    <DateField
      label={label}
      value={values[name]}
      // The dialog is opened to enter dates.
      autoFocus={name === 'first'}
      isInvalid={problem !== null}
      describedBy={hintId}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      <div className={styles.pair}>
        {field('first', texts.dialog.first)}
        {field('last', texts.dialog.last)}
      </div>
      <p id={hintId} className={problem === null ? fieldStyles.hint : fieldStyles.error}>
        {problem ?? texts.dialog.daysHint}
      </p>
    </>
  );
}

const MOST_TAGS = 50;

/** A field for a tag, with the tags of the library as completion. */
function TagPicker({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: string | null;
  onChange: (tag: string) => void;
}) {
  const [tags, setTags] = useState<KnownValue[]>([]);
  const siteId = mediaList.useList((state) => state.query?.siteId ?? null);
  useEffect(() => {
    if (siteId === null) return;
    return untilCancelled(
      call('library.values', { siteId, field: 'tag', text: value, limit: MOST_TAGS }),
      setTags,
      showError,
    );
  }, [siteId, value]);
  return (
    <ComboBox
      className={fieldStyles.field ?? ''}
      items={tags.map((each) => ({ ...each, id: each.value }))}
      inputValue={value}
      onInputChange={(text) => onChange(text.slice(0, 200))}
      onChange={(key) => {
        if (key !== null) onChange(String(key));
      }}
      menuTrigger="input"
      allowsCustomValue
      allowsEmptyCollection
      defaultFilter={() => true}
      isInvalid={problem !== null}
      validationBehavior="aria"
    >
      <Label className={fieldStyles.label ?? ''}>{texts.dialog.tag}</Label>
      <div className={comboStyles.combo}>
        <Input className={classes(fieldStyles.input, comboStyles.input)} autoFocus />
        <AriaButton className={comboStyles.open ?? ''} aria-label={texts.dialog.showTags}>
          <ChevronDown size={14} aria-hidden />
        </AriaButton>
      </div>
      {problem === null ? null : <span className={fieldStyles.error}>{problem}</span>}
      <Popover className={popoverStyles.popover ?? ''} offset={4}>
        <ListBox<KnownValue & { id: string }>
          className={popoverStyles.list ?? ''}
          renderEmptyState={() => <div className={popoverStyles.empty}>{texts.dialog.noTag}</div>}
        >
          {({ id, items }) => (
            <ListBoxItem id={id} textValue={id} className={popoverStyles.item ?? ''}>
              <span className={popoverStyles.grow}>{id}</span>
              <span className={popoverStyles.detail}>{formatCount(items)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** Returns the condition that the dialog changes; for a new condition, the condition of the same kind that it would replace. */
function termAt(search: string, kind: ConditionKind, index: number | null): QueryTerm | null {
  const { groups } = parseQuery(search).query;
  if (index !== null) return groups[index]?.[0] ?? null;
  if (kind === 'tag' || kind === 'byline') return null;
  return groups.find((terms) => terms.every((term) => term.kind === kind))?.[0] ?? null;
}

function valuesOf(term: QueryTerm | null): Values {
  switch (term?.kind) {
    case 'tag':
    case 'byline':
      return { first: term.value, last: '' };
    case 'created':
    case 'modified':
    case 'published': {
      const whole = term.range.from;
      const isOffered = whole !== null && periodsOf(term.kind, localDay(Date.now())).includes(whole);
      if (isOffered && whole === term.range.to) return { first: whole, last: whole };
      const { from, to } = daysOf(term.range, localDay(Date.now()));
      return { first: from, last: to };
    }
    case 'duration': {
      const { from, to, isOpen } = term.range;
      const more = isOpen ? 1 : 0;
      return {
        first: from === null ? '' : writeDuration(from + more),
        last: to === null ? '' : writeDuration(Math.max(0, to - more)),
      };
    }
    default:
      return { first: '', last: '' };
  }
}

/** Returns the condition that the values describe; null when they describe none. */
function termOf(kind: ConditionKind, { first, last }: Values, isNegated: boolean): QueryTerm | null {
  if (kind === 'tag' || kind === 'byline') {
    const value = first.trim();
    return value === '' ? null : { kind, value, isNegated };
  }
  if (kind === 'duration') {
    const from = first.trim() === '' ? null : readDuration(first.trim());
    const to = last.trim() === '' ? null : readDuration(last.trim());
    const isRead = (first.trim() === '' || from !== null) && (last.trim() === '' || to !== null);
    if (!isRead || (from === null && to === null) || (from !== null && to !== null && from > to)) return null;
    return { kind, range: { from, to, isOpen: false }, isNegated };
  }
  const range = rangeOfDays({ from: first, to: last });
  return range === null ? null : { kind, range, isNegated };
}

function problemOf(kind: ConditionKind): string {
  const { text, days, length } = texts.dialog.problems;
  return kind === 'tag' || kind === 'byline' ? text : kind === 'duration' ? length : days;
}
