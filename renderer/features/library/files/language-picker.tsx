import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { classes } from '../../../kit/components/button.tsx';
import comboStyles from '../../../kit/components/forms/combo.module.css';
import { fieldStyles } from '../../../kit/components/forms/field.tsx';
import popoverStyles from '../../../kit/components/overlay/popover.module.css';
import { LANGUAGES, languageOfText, languageText } from './languages.ts';
import { texts } from './texts.ts';

interface LanguagePickerProps {
  /** A language tag; null when no language is chosen. */
  value: string | null;
  error: { message: string } | null;
  /** `language` undefined: the typed text is no language. */
  onChange: (language: string | null | undefined) => void;
}

/** Chooses a language by a part of its name, or by a tag such as `pt-BR`. */
export function LanguagePicker({ value, error, onChange }: LanguagePickerProps) {
  const [text, setText] = useState(value === null ? '' : languageText(value));
  const typed = text.toLowerCase();
  const found = LANGUAGES.filter(({ label }) => label.toLowerCase().includes(typed));
  // An opened list has all languages, although the field contains the name of one. A typed name, even a complete one, filters.
  const [isTyped, setTyped] = useState(false);
  return (
    <ComboBox
      className={fieldStyles.field ?? ''}
      items={isTyped ? found : LANGUAGES}
      inputValue={text}
      onInputChange={(next) => {
        setText(next);
        setTyped(next !== '');
        onChange(languageOfText(next));
      }}
      onChange={(key) => {
        if (key === null) return;
        setText(languageText(String(key)));
        onChange(String(key));
      }}
      onOpenChange={(isOpen) => {
        if (!isOpen) setTyped(false);
      }}
      isInvalid={error !== null}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsEmptyCollection
      allowsCustomValue
      defaultFilter={() => true}
    >
      <Label className={fieldStyles.label ?? ''}>{texts.captions.language}</Label>
      <div className={comboStyles.combo}>
        <Input className={classes(fieldStyles.input, comboStyles.input)} placeholder={texts.captions.noLanguage} />
        <Button className={comboStyles.open ?? ''} aria-label={texts.captions.showLanguages}>
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <FieldError className={fieldStyles.error ?? ''}>{error?.message}</FieldError>
      <Popover className={popoverStyles.popover ?? ''} offset={4}>
        <ListBox<(typeof LANGUAGES)[number]>
          className={popoverStyles.list ?? ''}
          renderEmptyState={() => <div className={popoverStyles.empty}>{texts.captions.otherLanguage}</div>}
        >
          {({ id, label }) => (
            <ListBoxItem id={id} textValue={label} className={popoverStyles.item ?? ''}>
              <span className={popoverStyles.grow}>{label}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
