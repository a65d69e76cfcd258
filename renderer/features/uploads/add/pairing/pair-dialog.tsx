import { useState } from 'react';
import { Button } from '../../../../kit/components/button.tsx';
import { Checkbox } from '../../../../kit/components/forms/choice.tsx';
import { type Option, Select } from '../../../../kit/components/forms/select.tsx';
import { Dialog, FooterSpace } from '../../../../kit/components/overlay/dialog.tsx';
import {
  candidateChoice,
  candidatePlace,
  type PairChoice,
  type PairChoices,
  sameChoices,
  type UnclearFile,
} from '../../state/add-pairs.ts';
import { choosePairs, useAdd } from '../../state/add-store.ts';
import { recordingText } from '../../state/earlier-text.ts';
import { BulkBar } from './bulk-bar.tsx';
import styles from './pairing.module.css';
import { texts } from './texts.ts';

/** Each row has a list of choices, so only some are rendered. */
const SHOWN_AT_ONCE = 100;

/**
 * Lists the files whose recording is ambiguous. Each choice applies immediately: the sheet behind the dialog shows its effect.
 */
export function PairDialog({ onClose }: { onClose: () => void }) {
  const unclear = useAdd((state) => state.unclear);
  const choices = useAdd((state) => state.pairChoices);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = unclear.filter(({ path }) => choices.has(path)).length;
  return (
    <Dialog
      title={texts.title}
      width={720}
      isOpen
      onClose={onClose}
      footer={
        <>
          <span role="status" className={styles.sum}>
            {texts.chosen(chosen, unclear.length)}
          </span>
          <FooterSpace />
          <Button
            isDisabled={chosen === 0}
            onPress={() => choosePairs(new Map(unclear.map(({ path }) => [path, null])))}
          >
            {texts.reset}
          </Button>
          <Button variant="primary" onPress={onClose}>
            {texts.done}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{texts.lead}</p>
      {unclear.length > 1 ? (
        <BulkBar
          unclear={unclear}
          choices={choices}
          selected={selected}
          onSelect={(isAll) => setSelected(new Set(isAll ? unclear.map(({ path }) => path) : []))}
        />
      ) : null}
      <ul className={styles.files} aria-label={texts.list}>
        {unclear.slice(0, shown).map((file) => (
          <PairRow
            key={file.path}
            {...{ file, unclear, choices }}
            isSelected={selected.has(file.path)}
            onSelect={(isSelected) => setSelected(withPath(selected, file.path, isSelected))}
          />
        ))}
      </ul>
      {unclear.length > shown ? (
        <Button onPress={() => setShown(shown + SHOWN_AT_ONCE)}>{texts.more(unclear.length - shown)}</Button>
      ) : null}
    </Dialog>
  );
}

function withPath(paths: ReadonlySet<string>, path: string, isIn: boolean): ReadonlySet<string> {
  const others = [...paths].filter((each) => each !== path);
  return new Set(isIn ? [...others, path] : others);
}

interface PairRowProps {
  file: UnclearFile;
  unclear: readonly UnclearFile[];
  choices: PairChoices;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
}

function PairRow({ file, unclear, choices, isSelected, onSelect }: PairRowProps) {
  const { path, fileName, kind, doubt, candidates, fields = [] } = file;
  const addTo = kind === 'details' ? texts.describe : texts.addTo;
  const choice = choices.get(path) ?? null;
  const same = sameChoices(unclear, choices, path);
  const options: Option<string>[] = [
    ...(doubt === 'earlier' ? [] : [{ value: OPEN, label: texts.open }]),
    ...candidates.map((each, index) => ({
      value: String(index),
      label: each.upload === undefined ? texts.belongsTo(each.fileName) : addTo(recordingText(each.upload)),
    })),
    { value: OWN, label: texts.own },
    { value: LEFT_OUT, label: texts.leftOut },
  ];
  return (
    <li className={styles.file}>
      <div className={styles.name}>
        <Checkbox isSelected={isSelected} onChange={onSelect}>
          <span className={styles.fileName} title={path}>
            {fileName}
          </span>
        </Checkbox>
        <span className={styles.hint}>
          {texts.kinds[kind]} · {doubt === 'unreadable' ? file.message : texts.doubts[doubt]}
          {fields.length === 0 ? null : ` ${texts.replaces(fields)}`}
        </span>
      </div>
      <div className={styles.choice}>
        <Select
          bare
          label={texts.placeOf(fileName)}
          value={optionOf(choice, file)}
          options={options}
          onChange={(value) => choosePairs(new Map([[path, choiceOf(value, file)]]))}
        />
        {same.size === 0 ? null : <Button onPress={() => choosePairs(same)}>{texts.same(kind, same.size)}</Button>}
      </div>
    </li>
  );
}

// The keys of the options that are no recording. The keys of recordings are their indexes among the candidates.
const OPEN = 'open';
const OWN = 'own';
const LEFT_OUT = 'left-out';

function optionOf(choice: PairChoice | null, file: UnclearFile): string {
  if (choice === null) return OPEN;
  return choice.kind === OWN || choice.kind === LEFT_OUT ? choice.kind : String(candidatePlace(file, choice));
}

function choiceOf(value: string, { candidates }: UnclearFile): PairChoice | null {
  if (value === OWN || value === LEFT_OUT) return { kind: value };
  const recording = candidates[Number(value)];
  return recording === undefined ? null : candidateChoice(recording);
}
