import { ChevronDown, CircleHelp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../kit/components/button.tsx';
import { Checkbox } from '../../../../kit/components/forms/choice.tsx';
import { type Option, Select } from '../../../../kit/components/forms/select.tsx';
import { Dialog, FooterSpace } from '../../../../kit/components/overlay/dialog.tsx';
import { ActionMenu, type MenuEntry } from '../../../../kit/components/overlay/menu.tsx';
import {
  BULK_CHOICES,
  bulkChoices,
  candidateChoice,
  candidatePlace,
  earlierCount,
  openFiles,
  type PairChoice,
  type PairChoices,
  sameChoices,
  type UnclearFile,
} from '../../state/add-pairs.ts';
import { choosePairs, useAdd } from '../../state/add-store.ts';
import { recordingText } from '../../state/file-text.ts';
import { SheetNotice } from '../sheet-notice.tsx';
import { texts } from '../texts.ts';
import styles from './pairing.module.css';

/** Each row has a list of choices, so only some are rendered. */
const SHOWN_AT_ONCE = 100;

/**
 * Lists the files whose recording is ambiguous. Each choice applies immediately: the sheet behind the dialog shows its effect.
 */
function PairDialog({ onClose }: { onClose: () => void }) {
  const unclear = useAdd((state) => state.unclear);
  const choices = useAdd((state) => state.pairChoices);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = unclear.filter(({ path }) => choices.has(path)).length;
  return (
    <Dialog
      title={texts.pairing.title}
      width={720}
      isOpen
      onClose={onClose}
      footer={
        <>
          <span role="status" className={styles.sum}>
            {texts.pairing.chosen(chosen, unclear.length)}
          </span>
          <FooterSpace />
          <Button
            isDisabled={chosen === 0}
            onPress={() => choosePairs(new Map(unclear.map(({ path }) => [path, null])))}
          >
            {texts.pairing.reset}
          </Button>
          <Button variant="primary" onPress={onClose}>
            {texts.pairing.done}
          </Button>
        </>
      }
    >
      <p className={styles.lead}>{texts.pairing.lead}</p>
      {unclear.length > 1 ? (
        <BulkBar
          unclear={unclear}
          choices={choices}
          selected={selected}
          onSelect={(isAll) => setSelected(new Set(isAll ? unclear.map(({ path }) => path) : []))}
        />
      ) : null}
      <ul className={styles.files} aria-label={texts.pairing.list}>
        {unclear.slice(0, shown).map((file) => (
          <PairRow
            key={file.path}
            file={file}
            unclear={unclear}
            choices={choices}
            isSelected={selected.has(file.path)}
            onSelect={(isSelected) => setSelected(withPath(selected, file.path, isSelected))}
          />
        ))}
      </ul>
      {unclear.length > shown ? (
        <Button onPress={() => setShown(shown + SHOWN_AT_ONCE)}>{texts.pairing.more(unclear.length - shown)}</Button>
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
  const addTo = kind === 'details' ? texts.pairing.describe : texts.pairing.addTo;
  const choice = choices.get(path) ?? null;
  const same = sameChoices(unclear, choices, path);
  const options: Option<string>[] = [
    ...(doubt === 'earlier' ? [] : [{ value: OPEN, label: texts.pairing.open }]),
    ...candidates.map((each, index) => ({
      value: String(index),
      label: each.upload === undefined ? texts.pairing.belongsTo(each.fileName) : addTo(recordingText(each.upload)),
    })),
    { value: OWN, label: texts.pairing.own },
    { value: LEFT_OUT, label: texts.pairing.leftOut },
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
          {texts.pairing.kinds[kind]} · {doubt === 'unreadable' ? file.message : texts.pairing.doubts[doubt]}
          {fields.length === 0 ? null : ` ${texts.pairing.replaces(fields)}`}
        </span>
      </div>
      <div className={styles.choice}>
        <Select
          bare
          label={texts.pairing.placeOf(fileName)}
          value={optionOf(choice, file)}
          options={options}
          onChange={(value) => choosePairs(new Map([[path, choiceOf(value, file)]]))}
        />
        {same.size === 0 ? null : (
          <Button onPress={() => choosePairs(same)}>{texts.pairing.same(kind, same.size)}</Button>
        )}
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

interface BulkBarProps {
  unclear: readonly UnclearFile[];
  choices: PairChoices;
  selected: ReadonlySet<string>;
  onSelect: (isAll: boolean) => void;
}

/** Applies one choice to many files: to the selected files or, without a selection, to all files without a choice. */
function BulkBar({ unclear, choices, selected, onSelect }: BulkBarProps) {
  const chosen = unclear.filter(({ path }) => selected.has(path));
  const targets = chosen.length > 0 ? chosen : openFiles(unclear, choices);
  const label =
    targets.length === 0
      ? texts.pairing.setNone
      : chosen.length > 0
        ? texts.pairing.setSelected(targets.length)
        : texts.pairing.setOpen(targets.length);
  const labels = { offered: texts.pairing.offered, own: texts.pairing.own, 'left-out': texts.pairing.leftOut };
  const entries = BULK_CHOICES.map((choice): MenuEntry => {
    const changes = bulkChoices(targets, choice);
    const detail = changes.size === targets.length ? {} : { detail: texts.pairing.offeredFor(changes.size) };
    return {
      id: choice,
      label: labels[choice],
      isDisabled: changes.size === 0,
      ...detail,
      onAction() {
        choosePairs(changes);
        onSelect(false);
      },
    };
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place for its parts side by side
    <div role="group" className={styles.bulk} aria-label={texts.pairing.bulk}>
      <Checkbox isSelected={chosen.length === unclear.length} onChange={onSelect}>
        {texts.pairing.selectAll(unclear.length)}
      </Checkbox>
      <ActionMenu label={label} groups={[{ entries }]}>
        <Button isDisabled={targets.length === 0}>
          {label} <ChevronDown size={14} aria-hidden />
        </Button>
      </ActionMenu>
    </div>
  );
}

/** Shows how many files need a choice of their recording, and opens the dialog for it. */
export function PairNotice() {
  const sidecars = useAdd((state) => state.sidecars);
  const unclear = useAdd((state) => state.unclear);
  const choices = useAdd((state) => state.pairChoices);
  const [isOpen, setOpen] = useState(false);
  if (!sidecars || unclear.length === 0) return null;
  const open = unclear.filter(({ path }) => !choices.has(path)).length;
  const earlier = earlierCount(unclear, choices);
  const earlierText = earlier === 0 ? null : texts.pairing.noticeEarlier(earlier);
  return (
    <>
      <SheetNotice
        icon={<CircleHelp size={15} aria-hidden />}
        isOpen={open > 0}
        text={open === 0 ? (earlierText ?? texts.pairing.noticeDone(unclear.length)) : texts.pairing.notice(open)}
        hint={
          open === 0 ? null : [texts.pairing.noticeHint(open), earlierText].filter((text) => text !== null).join(' ')
        }
        testId="pair-notice"
      >
        <Button onPress={() => setOpen(true)}>{open === 0 ? texts.pairing.change : texts.pairing.choose}</Button>
      </SheetNotice>
      {isOpen ? <PairDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
