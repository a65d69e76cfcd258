import { Bold, Code, Heading, Italic, Link, List, ListOrdered, type LucideIcon, TextQuote } from 'lucide-react';
import { ToggleButton, Toolbar, Tooltip, TooltipTrigger } from 'react-aria-components';
import { classes, tooltipStyle } from '../button.tsx';
import { texts } from '../texts.ts';
import type { RichCommand, RichStatus } from './commands.ts';
import styles from './rich-text.module.css';

interface FormatToolbarProps {
  label: string;
  /** null: no formatting is possible, because the source is shown or the editor is being loaded. */
  status: RichStatus | null;
  isSource: boolean;
  isReadOnly: boolean;
  onCommand: (command: RichCommand) => void;
  onLink: () => void;
  onSource: () => void;
}

const MARKS: readonly [RichCommand, LucideIcon][] = [
  ['bold', Bold],
  ['italic', Italic],
];
const BLOCKS: readonly [RichCommand, LucideIcon][] = [
  ['bullets', List],
  ['numbers', ListOrdered],
  ['quote', TextQuote],
  ['heading', Heading],
];

/** The commands of the editor. Tab enters the toolbar once, arrow keys move inside. */
export function FormatToolbar(props: FormatToolbarProps) {
  const { label, status, isSource, isReadOnly, onCommand, onLink, onSource } = props;
  const button = ([command, Icon]: readonly [RichCommand, LucideIcon]) => (
    <FormatButton
      key={command}
      label={texts.richText.commands[command]}
      icon={Icon}
      isOn={status?.active.has(command) === true}
      isDisabled={isReadOnly || status === null || status.disabled.has(command)}
      onPress={() => onCommand(command)}
    />
  );
  return (
    <Toolbar className={styles.toolbar ?? ''} aria-label={texts.richText.toolbar(label)}>
      {isSource ? null : (
        <>
          {MARKS.map(button)}
          <FormatButton
            label={texts.richText.link}
            icon={Link}
            isOn={status !== null && status.href !== null}
            isDisabled={isReadOnly || status === null || !status.canLink}
            onPress={onLink}
          />
          {BLOCKS.map(button)}
        </>
      )}
      <span className={styles.spacer} />
      <FormatButton
        label={isSource ? texts.richText.formatted : texts.richText.source}
        icon={Code}
        isOn={isSource}
        isDisabled={false}
        onPress={onSource}
      />
    </Toolbar>
  );
}

interface FormatButtonProps {
  label: string;
  icon: LucideIcon;
  isOn: boolean;
  isDisabled: boolean;
  onPress: () => void;
}

function FormatButton({ label, icon: Icon, isOn, isDisabled, onPress }: FormatButtonProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <ToggleButton
        aria-label={label}
        className={classes(styles.tool)}
        isSelected={isOn}
        isDisabled={isDisabled}
        onChange={onPress}
      >
        <Icon size={15} aria-hidden />
      </ToggleButton>
      <Tooltip className={tooltipStyle} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
